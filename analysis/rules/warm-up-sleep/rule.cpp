// KA616: forward waits on purpose: a benchmark that calibrates itself on such calls measures less, or later.
#include <algorithm>

#include "analysis/facts/surroundings.h"
#include "analysis/rules/collector.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Guard;
using facts::GuardKind;
using facts::Model;
using facts::Node;
using facts::NodeKind;

const RuleInfo kInfo{"KA616",
                     "warm-up-sleep",
                     "calls of forward are slowed on purpose",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {41}};

bool sleeps(const std::string& name) {
  return one_of(name,
                {"time.sleep", "torch.cuda._sleep", "asyncio.sleep", "std::this_thread::sleep_for",
                 "std::this_thread::sleep_until", "usleep", "nanosleep", "sleep", "clock_nanosleep", "signal.pause"});
}

// The loop's own condition aside.
const Guard* telling(const std::vector<Guard>& guards, const facts::StatementRef& where) {
  for (const Guard& guard : guards) {
    if (guard.function == where.function && guard.block == where.block) continue;
    if (guard.kind == GuardKind::kState || guard.kind == GuardKind::kIdentity || guard.kind == GuardKind::kContents ||
        guard.kind == GuardKind::kSurroundings)
      return &guard;
  }
  return nullptr;
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {}

  // Tied to how often, or with what, forward was called, it is there for who measures.
  void add(const facts::StatementRef& where, const std::string& how) {
    const std::vector<Guard>& guards = model_.guards_of(where, 0);
    const Guard* tells = telling(guards, where);
    Finding* finding = once_at(
        model_.span(where), entry_name(model_) + " waits " + how +
                                (tells == nullptr ? "." : std::string(", decided by ") + describe(tells->kind) + "."));
    if (finding == nullptr) return;
    if (tells != nullptr && policy_.effects.count(kInfo.code) == 0) {
      finding->effect = Effect::kCheat;
      finding->severity = Severity::kError;
    }
    add_guard_notes(guards, finding->notes);
  }

  void calls() {
    for (const Ran& call : ran(model_, sleeps)) {
      if (call.record->in_forward) add(call.where, "in " + call.name);
    }
  }

  // while time.perf_counter() < end: pass
  void loops() {
    for (const auto& [place, nodes] : model_.run().conditions) {
      const auto& [function, block] = place;
      if (!model_.reached(function, facts::Phase::kForward)) continue;
      const auto& body = model_.function(function).blocks[static_cast<std::size_t>(block)];
      bool clock = false;
      model_.provenance().walk(nodes, [&](const Node& node, facts::NodeId) {
        clock = clock || (node.kind == NodeKind::kSurroundings &&
                          facts::surroundings_of(node.name) == facts::Surroundings::kClock);
        return true;
      });
      const auto& flow = model_.run().flow(function);
      const auto& before = flow.predecessors(block);
      const bool loop =
          std::any_of(before.begin(), before.end(), [&](facts::Id from) { return flow.dominates(block, from); });
      if (clock && loop && !body.statements.empty()) add({function, block, 0}, "in a loop until the clock says so");
    }
  }
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.calls();
  checker.loops();
  return checker.take();
}

}  // namespace

const Rule& warm_up_sleep() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
