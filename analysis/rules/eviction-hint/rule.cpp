// KA522: a kernel asks the cache to keep its lines, so that a flush by writes may not remove them.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA522",
                     "eviction-hint",
                     "a kernel asks the cache to evict its lines last",
                     Severity::kNote,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {100}};

// tl.load(…, eviction_policy="evict_last")
bool keeps_in_triton(const Model& model, const Statement& s) {
  if (!one_of(s.callee, {"triton.language.load", "triton.language.store"})) return false;
  return std::any_of(s.keywords.begin(), s.keywords.end(), [&](const auto& keyword) {
    if (keyword.first != "eviction_policy" || keyword.second == facts::kNone) return false;
    const auto& constant = model.value(keyword.second).constant;
    return constant && *constant == "evict_last";
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code_of_both(model)) {
    const Function& function = model.function(code.function);
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        bool keeps = one_of(s.callee, {"cuda::apply_access_property", "cuda::associate_access_property"}) ||
                     keeps_in_triton(model, s);
        for (const PtxInstruction& instruction : ptx_of(model, s)) keeps = keeps || instruction.has("evict_last");
        if (!keeps) continue;
        findings.push_back(
            finding_in_launched(kInfo, model, policy, code, s, "asks the cache to evict its lines last."));
      }
    }
  }
  return findings;
}

}  // namespace

const Rule& eviction_hint() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
