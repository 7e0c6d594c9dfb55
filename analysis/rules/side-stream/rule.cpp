// KA301: work runs on a stream that the caller's stream has not been made to wait for when forward returns.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/launch_choices.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA301",
                     "side-stream",
                     "work on another stream is not joined to the caller's stream before forward returns",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {26, 27, 28, 45}};

// A call that makes a stream, in a candidate that waits for none.
std::string made_and_never_waited_for(const Model& model) {
  if (model.run().waits_in_forward) return {};
  const auto makes = [](const std::string& name) {
    const std::string last = last_part(name);
    return last.starts_with("cudaStreamCreate") || last.starts_with("cuStreamCreate");
  };
  for (const auto& [where, names] : model.run().called_symbols) {
    for (const std::string& name : names) {
      if (makes(name)) return name;
    }
  }
  const std::vector<Ran> made = ran(model, makes);
  return made.empty() ? std::string() : last_part(made.front().name);
}

// Work on a stream that was not followed to where it comes from: it may be the caller's.
Finding not_told(const Model& model, const Policy& policy, const std::vector<facts::NodeId>& work) {
  Finding finding =
      make_finding(kInfo, policy,
                   "Which stream " + name_list(model, work) +
                       " runs on could not be told, so whether the caller's stream waits for it neither.");
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kLow;
  finding.effect = Effect::kInconclusive;
  if (const std::string maker = made_and_never_waited_for(model); !maker.empty()) {
    finding.message += " The candidate makes a stream with " + maker + ", and waits for none.";
    finding.effect = Effect::kReview;
  }
  finding.span = model.span_of(work.front());
  model.add_call_notes(work.front(), finding.notes);
  return finding;
}

// Whether what picks a value out of a table asks for a capture, in an own function that returns it as well.
bool picked_by_capture(const Model& model, facts::Id function, facts::Id value, int depth = 0) {
  constexpr int kDeepestCall = 3;
  const Slice& slice = slice_of(model, function, value);
  if (asks_capture(slice)) return true;
  return depth < kDeepestCall &&
         std::any_of(
             slice.statements.begin(), slice.statements.end(),
             [&](const facts::Statement* call) {
               if (call->target == facts::kNone || !model.native(call->target)) return false;
               const auto& blocks = model.function(call->target).blocks;
               return std::any_of(blocks.begin(), blocks.end(), [&](const facts::Block& block) {
                 return std::any_of(block.statements.begin(), block.statements.end(), [&](const facts::Statement& s) {
                   return s.kind == facts::StatementKind::kReturn &&
                          picked_by_capture(model, call->target, s.value, depth + 1);
                 });
               });
             });
}

// While a graph is captured the launch goes to a stream that the capture does not see: replays leave it out.
void find_left_captures(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  if (model.run().waits_in_forward || model.run().on_either.empty()) return;
  std::vector<facts::StatementRef> told;
  const auto add = [&](facts::NodeId work, const facts::ObjectSet& streams, const SourceSpan& decided) {
    const facts::StatementRef& launch = model.provenance().at(work).where;
    if (std::find(told.begin(), told.end(), launch) != told.end()) return;
    told.push_back(launch);
    Finding finding = make_finding(kInfo, policy,
                                   "Whether a graph is being captured decides whether " + name_list(model, {work}) +
                                       " runs on a stream that the candidate created, which nothing waits for.");
    finding.span = model.span(launch);
    finding.notes.push_back({decided, "decided here"});
    finding.notes.push_back({model.span(model.run().object(streams.front()).made), "the stream is created here"});
    findings.push_back(std::move(finding));
  };
  for (const LaunchChoice& choice : launch_choices(model)) {
    if (choice.what != kTheStream || !asks_capture(slice_of(model, choice.guard))) continue;
    for (const auto& [work, streams] : model.run().on_either) {
      if (model.provenance().at(work).where == choice.launch) add(work, streams, choice.guard.span);
    }
  }
  for (const auto& [work, streams] : model.run().on_either) {
    const facts::StatementRef& where = model.provenance().at(work).where;
    const facts::Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || launch->launch->stream == facts::kNone) continue;
    const facts::Id stream = launch->launch->stream;
    if (picked_by_capture(model, where.function, stream)) add(work, streams, model.value(stream).span);
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::vector<facts::NodeId> reported;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const auto& [stream, work] : returned.pending) {
      std::vector<facts::NodeId> fresh;
      for (const facts::NodeId id : work) {
        if (std::find(reported.begin(), reported.end(), id) == reported.end()) fresh.push_back(id);
      }
      if (fresh.empty()) continue;
      reported.insert(reported.end(), fresh.begin(), fresh.end());
      const auto& object = model.run().object(stream);
      if (object.symbol == facts::kThreadSymbol) continue;  // KA311 tells of those
      if (object.symbol == "unknown") {
        findings.push_back(not_told(model, policy, fresh));
        continue;
      }
      const bool per_thread = object.symbol == "per-thread";
      Finding finding =
          make_finding(kInfo, policy,
                       "When " + entry_name(model) + " returns, the caller's stream has not been made to wait for " +
                           name_list(model, fresh) + " on " +
                           (per_thread ? "the per-thread default stream." : "a stream that the candidate created."));
      finding.span = model.span_of(fresh.front());
      if (!per_thread) finding.notes.push_back({model.span(object.made), "the stream is created here"});
      model.add_call_notes(fresh.front(), finding.notes);
      finding.notes.push_back({model.span(returned.where), "forward returns here"});
      findings.push_back(std::move(finding));
    }
  }
  find_left_captures(model, policy, findings);
  return findings;
}

}  // namespace

const Rule& side_stream() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
