// Calls of vendor libraries: what they are made of, and which of what they are handed they fill.
#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {
namespace {

// "gemm" of cublasSgemm_v2: a routine of BLAS, which fills the last of the arrays that it is handed.
std::optional<std::string> blas_routine(const std::string& callee) {
  const std::string_view prefix = "cublas";
  if (!callee.starts_with(prefix) || callee.starts_with("cublasLt") || callee.size() < prefix.size() + 4)
    return std::nullopt;
  static constexpr std::string_view types = "SDCZH";
  const std::string_view rest = std::string_view(callee).substr(prefix.size());
  const bool typed = types.find(rest[0]) != std::string_view::npos && rest[1] >= 'a' && rest[1] <= 'z';
  std::string name(rest.substr(typed ? 1 : 0));
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return typed || name.starts_with("gemm") || name.find("Ex") != std::string::npos ? std::optional(name) : std::nullopt;
}

// Adds to what its output holds, whatever else it is told.
bool updates(const std::string& routine) {
  static constexpr std::string_view names[] = {"ger", "axpy", "syr", "her", "spr", "hpr", "scal", "rot", "tr", "tp"};
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
    return routine.starts_with(name) && !routine.starts_with("syrk") && !routine.starts_with("herk") &&
           !routine.starts_with("syr2k") && !routine.starts_with("her2k");
  });
}

}  // namespace

Abstract Interpreter::apply_vendor(const Operation& operation, const std::string& callee,
                                   std::vector<Abstract>& operands, const CallSite& site) {
  const auto keeps_part = [&](const Abstract& beta) {
    return beta.constants.size() == 1 && constant_at(beta.constants[0]).is_number() &&
           constant_at(beta.constants[0]).get<double>() != 0;
  };
  const NodeId node = graph_.node(NodeKind::kVendor, site.where, site.context, 0);
  graph_.at(node).name = callee;
  graph_.at(node).family = std::string(operation.family);
  graph_.at(node).phase = phase_;
  // Arguments may come packed: cutlass::…::Arguments{…, {pointer, stride}, …}.
  for (std::size_t i = 0, count = operands.size(); i < count; ++i) {
    for (const ObjectId id : objects_of_kind(operands[i], ObjectKind::kContainer)) {
      const Abstract held = all_fields(id);
      if (has_kind(held, ObjectKind::kTensor) || has_kind(held, ObjectKind::kContainer)) operands.push_back(held);
    }
    count = std::min<std::size_t>(operands.size(), 64);
  }
  // Which operand is the output is not modelled but of BLAS: those not filled yet, else the last one.
  std::vector<std::size_t> outputs, tensors;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!has_kind(operands[i], ObjectKind::kTensor)) continue;
    tensors.push_back(i);
    const NodeSet contents = nodes_of(operands[i]);
    const bool unfilled = !contents.empty() && std::all_of(contents.begin(), contents.end(), [&](NodeId id) {
      const NodeKind kind = graph_.at(id).kind;
      return kind == NodeKind::kAllocation || kind == NodeKind::kConstant || kind == NodeKind::kIdentity || id == node;
    });
    if (unfilled) outputs.push_back(i);
  }
  // Functions of packages return what they make, or fill what was made for it.
  const bool in_python = callee.find("::") == std::string::npos && callee.find('.') != std::string::npos;
  const std::optional<std::string> routine = blas_routine(callee);
  if (routine && !tensors.empty()) outputs.clear();
  if (outputs.empty() && !tensors.empty() && !in_python) outputs.push_back(tensors.back());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool output = std::find(outputs.begin(), outputs.end(), i) != outputs.end() && tensors.size() > 1;
    if (output && !(routine && (updates(*routine) || (i > 0 && keeps_part(operands[i - 1]))))) continue;
    graph_.add_operands(node, i, nodes_of(operands[i]));
  }
  certain_writes_ = false;
  for (const std::size_t i : outputs) write_tensor(operands[i], {node}, site, 10 + static_cast<std::int64_t>(i));
  certain_writes_ = true;
  note_work(node, state_.stream);
  return in_python ? fresh_tensor(site, {node}) : open_value({node});
}

}  // namespace kernel_audit::analysis::facts
