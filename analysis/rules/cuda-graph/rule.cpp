// KA314: the result comes from a captured CUDA graph; a replay that no argument was copied for is stale.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA314",
                     "cuda-graph",
                     "work is captured in a CUDA graph and replayed",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {43, 44, 47},
                     Topic::kCudaGraphs};

constexpr std::string_view kCaptures[] = {"torch.cuda.graph",
                                          "torch.cuda.graphs.graph",
                                          "torch.cuda.CUDAGraph.capture_begin",
                                          "torch.cuda.make_graphed_callables",
                                          "torch.cuda.graphs.make_graphed_callables",
                                          "torch._inductor.cudagraph_trees.cudagraphify"};
constexpr std::string_view kReplays[] = {"torch.cuda.CUDAGraph.replay", "?.replay", "replay"};

// Whether only calls that find nothing, or another shape than before, come to a place.
bool where_missing(const Model& model, const facts::StatementRef& where, int depth = 0) {
  const std::vector<facts::Guard>& guards = model.guards_of(where, 0);
  const bool kept = std::any_of(guards.begin(), guards.end(), [&](const facts::Guard& guard) {
    const Slice& slice = slice_of(model, guard);
    return slice.names.contains("operator.contains") || slice.names.contains("operator.not_contains") ||
           guard.kind == facts::GuardKind::kNoneCheck || guard.kind == facts::GuardKind::kIdentity ||
           guard.kind == facts::GuardKind::kShape || guard.kind == facts::GuardKind::kState;
  });
  constexpr int kDeepest = 4;
  if (kept || depth > kDeepest) return kept;
  bool called = false;
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    for (std::size_t b = 0; b < functions[f].blocks.size(); ++b) {
      const auto& statements = functions[f].blocks[b].statements;
      for (std::size_t s = 0; s < statements.size(); ++s) {
        if (statements[s].target != where.function) continue;
        called = true;
        const facts::StatementRef call{static_cast<facts::Id>(f), static_cast<facts::Id>(b), static_cast<facts::Id>(s)};
        if (!where_missing(model, call, depth + 1)) return false;
      }
    }
  }
  return called;
}

// When a capture runs; one that only calls without a graph for their shapes make is not made in every call.
std::string moment_of(const Model& model, const Ran& capture) {
  return capture.record->in_later_calls && where_missing(model, capture.where) ? "in calls that find none"
                                                                               : when(*capture.record);
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto captures = ran(model, kCaptures);
  const auto replays = ran(model, kReplays);
  for (const facts::StatementRef& where : model.run().stale_replays) {
    if (model.native(where.function)) continue;  // KA324
    Finding finding = make_finding(kInfo, policy,
                                   "The graph is replayed on buffers that hold nothing of the arguments that " +
                                       entry_name(model) + " was called with.");
    if (policy.effects.count(kInfo.code) == 0) finding.effect = Effect::kCheat;
    finding.severity = Severity::kError;
    finding.span = model.span(where);
    for (const Ran& capture : captures) finding.notes.push_back({capture.statement->span, "captured here"});
    findings.push_back(std::move(finding));
  }
  if (!findings.empty() || captures.empty()) return findings;
  const Ran& first = captures.front();
  Finding finding = make_finding(kInfo, policy,
                                 "The candidate captures its work in a CUDA graph with " + first.name + " " +
                                     moment_of(model, first) + " and replays it.");
  finding.span = first.statement->span;
  for (const Ran& replay : replays) {
    if (replay.record->in_forward) finding.notes.push_back({replay.statement->span, "replayed here"});
  }
  findings.push_back(std::move(finding));
  return findings;
}

}  // namespace

const Rule& cuda_graph() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
