// KA521: the candidate sets part of L2 aside for its own data, which survives a flush between calls.
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA521",
                     "persisting-cache",
                     "part of L2 is set aside for the candidate's data",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {99}};

constexpr std::int64_t kPersistingL2 = 6;      // cudaLimitPersistingL2CacheSize, CU_LIMIT_PERSISTING_L2_CACHE_SIZE
constexpr std::int64_t kAccessPolicy = 1;      // cudaLaunchAttributeAccessPolicyWindow
constexpr std::int64_t kPersistingAccess = 2;  // cudaAccessPropertyPersisting

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const NativeCall& call, const std::string& what) {
    Finding finding =
        make_finding(kInfo, policy,
                     std::string(caller_text(call)) + " " + what + " with " + call.name + " " + phase_text(call) + ".");
    finding.span = model.span(call.where);
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  };
  const auto limits = [](std::string_view name) { return name == "cudaDeviceSetLimit" || name == "cuCtxSetLimit"; };
  for (const NativeCall& call : native_calls(model, limits)) {
    const auto size = number_argument(model, call, 1);
    const bool persisting = number_argument(model, call, 0) == kPersistingL2 ||
                            one_of(symbol_argument(model, call, 0),
                                   {"cudaLimitPersistingL2CacheSize", "CU_LIMIT_PERSISTING_L2_CACHE_SIZE"});
    if (persisting && size != 0) add(call, "sets part of L2 aside");
  }
  const auto attributes = [](std::string_view name) {
    return one_of(name, {"cudaStreamSetAttribute", "cuStreamSetAttribute", "cudaGraphKernelNodeSetAttribute"});
  };
  for (const NativeCall& call : native_calls(model, attributes)) {
    if (number_argument(model, call, 1) == kAccessPolicy) add(call, "gives a stream a window of L2 that persists");
  }
  // The same as an attribute of one launch: `attribute.val.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting`.
  for (std::size_t f = 0; f < model.facts().functions.size(); ++f) {
    const facts::Id id = static_cast<facts::Id>(f);
    if (!model.native(id) || !model.reached(id, facts::Phase::kForward)) continue;
    for (const facts::Block& block : model.function(id).blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != facts::StatementKind::kStore || s.location.storage == facts::kNone || s.value == facts::kNone)
          continue;
        const auto& storage = model.facts().storages[static_cast<std::size_t>(s.location.storage)];
        const auto& constant = model.value(s.value).constant;
        if (storage.name != "hitProp" || !constant || *constant != kPersistingAccess) continue;
        Finding finding = make_finding(kInfo, policy, "C++ code asks that the lines of a window stay in L2.");
        finding.span = s.span;
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}

}  // namespace

const Rule& persisting_cache() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
