// KA013 degenerate-inputs: a property of the inputs, not of the model, makes the task degenerate; with other inputs the
// effect is gone.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA013",
                        "degenerate-inputs",
                        "A property of the inputs makes the task degenerate",
                        Severity::kWarning,
                        Confidence::kHigh,
                        Stage::kFilters,
                        Effect::kReview,
                        {63, 67, 72, 74}};

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kDistributionProbe)) return {could_not_tell(kInfo, *reason)};
  // One finding for each property and repair: several effects often share them.
  std::vector<Finding> findings;
  std::vector<const InputProperty*> first;
  std::vector<std::string> effects;
  for (const InputProperty& property : evidence.input_properties) {
    std::size_t at = 0;
    while (at < first.size() && (first[at]->property != property.property || first[at]->repair != property.repair)) {
      ++at;
    }
    if (at == first.size()) {
      first.push_back(&property);
      effects.emplace_back();
    }
    effects[at] += (effects[at].empty() ? "" : "; ") + property.effect;
  }
  for (std::size_t at = 0; at < first.size(); ++at) {
    findings.push_back(filter_finding(kInfo, policy,
                                      "The inputs are " + first[at]->property + ", and under " + first[at]->shown_by +
                                          " inputs this is gone: " + effects[at] +
                                          ". Proposed repair: " + first[at]->repair + "."));
  }
  return findings;
}

}  // namespace

Rule degenerate_inputs_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
