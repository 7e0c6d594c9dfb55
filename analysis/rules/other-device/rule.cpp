// KA313: work is sent to another GPU than the one that the benchmark measures.
#include <algorithm>
#include <cctype>

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

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const auto any = [](const std::string&) { return true; };
  for (const Ran& call : ran(model, any)) {
    if (call.statement->kind != facts::StatementKind::kCall) continue;
    int index = 0;
    const auto consider = [&](Id id) {
      index = std::max(index, index_in(text_of(model, id)));
      const facts::Statement* device = maker(model, call.where.function, behind(model, call.where.function, id));
      if (device == nullptr || device->callee != "torch.device") return;
      index = std::max(index, index_in(text_of(model, argument(*device, 0, "type"))));
      const Json* second = constant_of(model, argument(*device, 1, "index"));
      if (second != nullptr && second->is_number_integer()) index = std::max(index, second->get<int>());
    };
    const bool library = call.name.starts_with("torch.") || call.name.starts_with("?.") ||
                         call.name.starts_with("cupy.") || matches(call.name, kByIndex);
    if (!library) continue;
    for (const Id id : call.statement->args) consider(id);
    for (const auto& [name, id] : call.statement->keywords) {
      if (name == "device") consider(id);
    }
    if (matches(call.name, kByIndex)) {
      const Json* first = constant_of(model, argument(*call.statement, 0, "device"));
      if (first != nullptr && first->is_number_integer()) index = std::max(index, first->get<int>());
      const auto given = model.run().call_arguments.find(call.where);  // by way of a parameter
      if (given != model.run().call_arguments.end() && !given->second.empty()) {
        for (const int constant : given->second.front().constants) {
          const Json& number = model.run().constant_at(constant);
          if (number.is_number_integer()) index = std::max(index, number.get<int>());
        }
      }
    }
    if (index <= 0 || call.name == "torch.device" || once.seen(call.statement->span)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        "The candidate uses device " + std::to_string(index) + " in " + call.name + " " + when(*call.record) + ".");
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
