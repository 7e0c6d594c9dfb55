// KA231: what forward returns lies in a buffer that the next call writes over.
#include <algorithm>
#include <set>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA231",
                     "reused-output",
                     "the returned buffer is one that the next call writes over",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {25}};

// A buffer of the module: whoever asks for it means that one.
bool is_state_of_module(const Model& model, const facts::Object& object) {
  const facts::Statement* made = model.statement(object.made);
  const auto registers = [&](const facts::Statement& s) {
    return last_part(s.callee) == "register_buffer" && std::any_of(s.args.begin(), s.args.end(), [&](facts::Id arg) {
             return maker(model, object.made.function, arg) == made;
           });
  };
  if (made != nullptr) {
    for (const facts::Block& block : model.function(object.made.function).blocks) {
      if (std::any_of(block.statements.begin(), block.statements.end(), registers)) return true;
    }
  }
  return std::any_of(object.initial.begin(), object.initial.end(),
                     [&](facts::NodeId node) { return model.provenance().at(node).kind == facts::NodeKind::kWeights; });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::set<facts::StatementRef> seen;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const facts::ObjectId id : returned.tensors) {
      const auto& object = model.run().object(id);
      if (!object.from_earlier_call || is_state_of_module(model, object)) continue;
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
