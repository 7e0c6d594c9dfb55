// KA231: what forward returns lies in a buffer that the next call writes over.
#include <set>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::ObjectKind;

const RuleInfo kInfo{"KA231",
                     "reused-output",
                     "the returned buffer is one that the next call writes over",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {25}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::set<facts::StatementRef> seen;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const facts::ObjectId id : returned.value.objects) {
      const auto& object = model.run().object(id);
      if (object.kind != ObjectKind::kTensor || !object.from_earlier_call) continue;
      if (!model.run().rewritten.contains(id) || !seen.insert(returned.where).second) continue;
      Finding finding = make_finding(
          kInfo, policy, entry_name(model) + " returns a buffer that an earlier call has returned, written anew.");
      finding.span = model.span(returned.where);
      finding.notes.push_back({model.span(object.made), "the buffer is made here"});
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace

const Rule& reused_output() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
