// KA313: work is sent to another GPU than the one that the benchmark measures.
#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::Model;

const RuleInfo kInfo{"KA313",
                     "other-device",
                     "work is sent to another GPU",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {29}};

// 1 and up: "cuda:1", 1. The first device is everybody's.
int index_in(const std::string& text) {
  const auto colon = text.find(':');
  if (text.compare(0, 5, "cuda:") != 0 || colon + 1 >= text.size()) return 0;
  int index = 0;
  for (std::size_t i = colon + 1; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0 || index > 1000) return 0;
    index = index * 10 + (text[i] - '0');
  }
  return index;
}

// Callees whose first argument is the index of a device.
constexpr std::string_view kByIndex[] = {
    "torch.cuda.set_device",         "torch.cuda.device", "torch.Tensor.cuda", "torch.Tensor.to",
    "torch.nn.Module.cuda",          "cudaSetDevice",     "cupy.cuda.Device",  "c10::cuda::CUDAGuard::CUDAGuard",
    "at::cuda::CUDAGuard::CUDAGuard"};

// How many hops from a device to the number of devices that its index is computed from.
constexpr int kMaxHops = 8;

// What made each value, whichever function that was in.
using Makers = std::unordered_map<Id, const facts::Statement*>;
Makers all_makers(const Model& model) {
  Makers makers;
  for (const auto& function : model.facts().functions) {
    for (const auto& block : function.blocks) {
      for (const facts::Statement& statement : block.statements) {
        if (statement.result != facts::kNone) makers.emplace(statement.result, &statement);
      }
    }
  }
  return makers;
}

// Whether a device, or its index, is found by counting the devices: the last one, the next one.
bool counted(const Model& model, const Makers& makers, Id function, Id id, int hops = 0) {
  const auto made = makers.find(behind(model, function, id));
  if (made == makers.end() || hops == kMaxHops) return false;
  const facts::Statement& by = *made->second;
  if (by.callee == "torch.cuda.device_count") return true;
  const bool computes = by.kind == facts::StatementKind::kPhi || by.callee == "torch.device" ||
                        by.callee.starts_with("operator.") || by.callee.starts_with("builtins.");
  return computes && std::any_of(by.args.begin(), by.args.end(),
                                 [&](Id arg) { return counted(model, makers, function, arg, hops + 1); });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const Makers makers = all_makers(model);
  const auto any = [](const std::string&) { return true; };
  for (const Ran& call : ran(model, any)) {
    if (call.statement->kind != facts::StatementKind::kCall) continue;
    int index = 0;
    bool by_count = false;
    const auto consider = [&](Id id) {
      index = std::max(index, index_in(text_of(model, id)));
      const auto device = makers.find(behind(model, call.where.function, id));
      if (device == makers.end() || device->second->callee != "torch.device") return;
      by_count = by_count || counted(model, makers, call.where.function, id);
      index = std::max(index, index_in(text_of(model, argument(*device->second, 0, "type"))));
      const Json* second = constant_of(model, argument(*device->second, 1, "index"));
      if (second != nullptr && second->is_number_integer()) index = std::max(index, second->get<int>());
    };
    const bool library = call.name.starts_with("torch.") || call.name.starts_with("?.") ||
                         call.name.starts_with("cupy.") || matches(call.name, kByIndex);
    if (!library) continue;
    for (const Id id : call.statement->args) consider(id);
    for (const auto& [name, id] : call.statement->keywords) {
      if (name != "device") continue;
      consider(id);
      by_count = by_count || counted(model, makers, call.where.function, id);
    }
    if (matches(call.name, kByIndex)) {
      const Id device = argument(*call.statement, 0, "device");
      by_count = by_count || counted(model, makers, call.where.function, device);
      const Json* first = constant_of(model, device);
      if (first != nullptr && first->is_number_integer()) index = std::max(index, first->get<int>());
      const auto given = model.run().call_arguments.find(call.where);  // by way of a parameter
      if (given != model.run().call_arguments.end() && !given->second.empty()) {
        for (const int constant : given->second.front().constants) {
          const Json& number = model.run().constant_at(constant);
          if (number.is_number_integer()) index = std::max(index, number.get<int>());
        }
      }
    }
    if ((index <= 0 && !by_count) || call.name == "torch.device" || once.seen(call.statement->span)) continue;
    const std::string which = index > 0 ? "device " + std::to_string(index) : "a device found by counting the devices";
    Finding finding = make_finding(kInfo, policy,
                                   "The candidate uses " + which + " in " + call.name + " " + when(*call.record) + ".");
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& other_device() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
