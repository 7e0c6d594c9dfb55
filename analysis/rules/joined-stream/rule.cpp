// KA302: forward puts work on another stream than the caller's and makes the caller's stream wait for it.
#include <algorithm>
#include <set>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA302",
                     "joined-stream",
                     "work runs on another stream, and the caller's stream waits for it before forward returns",
                     Severity::kNote,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {},
                     Topic::kSideStreams};

// Work that some return leaves unjoined is told of by KA301.
std::set<facts::NodeId> left_unjoined(const Model& model) {
  std::set<facts::NodeId> left;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const auto& [stream, work] : returned.pending) left.insert(work.begin(), work.end());
  }
  return left;
}

struct StreamWork {
  const facts::Object* stream = nullptr;
  std::vector<facts::NodeId> work;
};

// Work by the stream that it runs on; a stream of an earlier call and one of this call are made at one place.
std::vector<StreamWork> work_by_stream(const Model& model) {
  const std::set<facts::NodeId> left = left_unjoined(model);
  std::vector<StreamWork> found;
  for (const auto& [work, streams] : model.run().on_other_streams) {
    if (left.contains(work)) continue;
    const facts::Object& stream = model.run().object(streams.front());
    if (stream.symbol == facts::kThreadSymbol || stream.symbol == facts::kExecutorSymbol || stream.symbol == "unknown")
      continue;
    auto known = std::find_if(found.begin(), found.end(), [&](const StreamWork& each) {
      return each.stream->made == stream.made && each.stream->symbol == stream.symbol;
    });
    if (known == found.end()) known = found.insert(found.end(), {&stream, {}});
    known->work.push_back(work);
  }
  return found;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const StreamWork& each : work_by_stream(model)) {
    const bool per_thread = each.stream->symbol == "per-thread";
    Finding finding =
        make_finding(kInfo, policy,
                     entry_name(model) + " runs " + name_list(model, each.work) + " on " +
                         (per_thread ? "the per-thread default stream" : "a stream that the candidate created") +
                         ", and the caller's stream waits for it before forward returns.");
    finding.span = model.span_of(each.work.front());
    if (const SourceSpan made = model.span(each.stream->made); made.known())
      finding.notes.push_back({made, "the stream is created here"});
    model.add_call_notes(each.work.front(), finding.notes);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& joined_stream() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
