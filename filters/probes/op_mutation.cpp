#include "filters/probes/op_mutation.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "filters/probes/guard.h"
#include "filters/probes/mutant_passes.h"
#include "filters/probes/mutants.h"
#include "filters/probes/retest.h"

namespace kernel_audit::filters {
namespace {

// Shares of the time limit: for the mutants that decide between needed, redundant and dead, and for those that
// only refine the score.
constexpr double kDecisiveShare = 0.25, kRefiningShare = 0.10;
constexpr std::size_t kMaxMutants = 9;

bool is_tested(const OperatorCall& call) { return call.kind == call_kind::kCompute || call.kind == call_kind::kRandom; }

class MutationProbe {
 public:
  MutationProbe(TaskSession& session, const Stopwatch& watch, TracedTask& task, TaskEvidence& evidence)
      : session_(session), watch_(watch), task_(task), evidence_(evidence) {}

  Status run() {
    MutationEvidence& mutation = evidence_.mutation.emplace();
    mutation.not_intercepted = task_.trace->not_intercepted;
    if (task_.trace->too_many) {
      mutation.not_intercepted = "calls after the first " + std::to_string(CallTrace::kMaxCalls) + " were not recorded";
    }
    mutation.all_intercepted = mutation.not_intercepted.empty();
    const int planned = plan();
    passes_.emplace(session_, *task_.draw, *task_.paths);
    passes_->record_tape(evidence_, planned, watch_.remaining_s());
    for (const bool decisive : {true, false}) {
      const double until = watch_.elapsed_s() + (decisive ? kDecisiveShare : kRefiningShare) * watch_.limit_s();
      for (std::size_t round = 0; round < kMaxMutants; ++round) {
        for (std::size_t at = 0; at < evidence_.calls.size(); ++at) try_mutant(at, round, decisive, until);
      }
    }
    for (OperatorCall& call : evidence_.calls) judge(call);
    confirm();
    if (passes_) end_passes();
    count(mutation);
    return Ok{};
  }

 private:
  int plan() {
    int planned = 0;
    for (OperatorCall& call : evidence_.calls) {
      if (!is_tested(call)) continue;
      for (const MutantSpec& spec : mutants_for(call.input_shapes, call.output_shapes, call.dtype)) {
        call.mutants.push_back(described(spec));
        ++planned;
      }
    }
    return planned;
  }

  static Mutant described(const MutantSpec& spec) {
    Mutant mutant;
    mutant.kind = spec.kind;
    if (spec.kind == "noise") mutant.scale = spec.scale;
    if (spec.kind == "pass-through") mutant.detail = "argument " + std::to_string(spec.argument);
    if (spec.kind == "shuffle") mutant.detail = "axis " + std::to_string(spec.axis);
    if (spec.kind == "low-precision") mutant.detail = "bfloat16";
    return mutant;
  }

  void try_mutant(std::size_t at, std::size_t round, bool decisive, double until_s) {
    OperatorCall& call = evidence_.calls[at];
    if (round >= call.mutants.size() || is_decisive(call.mutants[round]) != decisive) return;
    Mutant& mutant = call.mutants[round];
    const double left = std::min(until_s, watch_.limit_s()) - watch_.elapsed_s();
    const double pass = passes_->seconds();
    if (pass > left) {
      mutant.missing = "not run: a pass needs about " + format_seconds(pass) + " and " +
                       format_seconds(std::max(0.0, left)) + " are left for it";
      return;
    }
    passes_->run(call, mutant);
  }

  void judge(OperatorCall& call) {
    call.draws_tried = 1;
    if (!is_tested(call)) {
      call.verdict = call_verdict::kExempt;
      call.why = "it is of the kind " + call.kind;
      if (call.kind == call_kind::kCopy && !call.reaches_output && evidence_.mutation->all_intercepted) {
        call.verdict = call_verdict::kDead;
        call.why = "never used";
        call.exact = true;
      }
      return;
    }
    int unnoticed = 0, noticed = 0, unnoticed_exact = 0, identical = 0;
    const Mutant* passed = nullptr;
    std::string missing;
    for (const Mutant& mutant : call.mutants) {
      if (!mutant.noticed) {
        if (is_decisive(mutant) && missing.empty()) missing = mutant.missing;
        continue;
      }
      identical += mutant.identical;
      if (mutant.kind == "pass-through" && !*mutant.noticed && (passed == nullptr || !*mutant.noticed_exact)) {
        passed = &mutant;
      }
      if (mutant.identical || mutant.kind == "low-precision" || (mutant.scale && *mutant.scale < 1)) continue;
      ++(*mutant.noticed ? noticed : unnoticed);
      unnoticed_exact += !*mutant.noticed_exact;
    }
    const std::optional<double> constant = passes_->constant_of(call.position);
    const bool from_input = task_.trace->from_input[call.position];
    if (noticed == 0 && unnoticed >= 2 && missing.empty()) {
      call.verdict = call_verdict::kDead;
      call.why = call.reaches_output ? "swallowed" : "never used";
      call.exact = unnoticed_exact == unnoticed;
    } else if (passed != nullptr && from_input) {
      call.verdict = call_verdict::kRedundant;
      call.why = "identity";
      call.exact = !*passed->noticed_exact;
    } else if (constant && from_input && !call.output_shapes.empty()) {
      call.verdict = call_verdict::kRedundant;
      call.why = "constant result";
      call.exact = true;
    } else if (!missing.empty() || noticed + unnoticed < 1) {
      call.verdict = call_verdict::kUntested;
      call.why = !missing.empty() ? missing : identical > 0 ? "its mutants equal its result" : "it has no mutant";
    } else {
      call.verdict = call_verdict::kNeeded;
    }
  }

  // The same on another draw of weights and inputs. What cannot be tried again keeps draws_tried = 1.
  void confirm() {
    std::vector<OperatorCall*> doubtful;
    for (OperatorCall& call : evidence_.calls) {
      if (!is_tested(call)) continue;
      if (call.verdict == call_verdict::kDead || call.verdict == call_verdict::kRedundant) doubtful.push_back(&call);
    }
    if (doubtful.empty()) return;
    const double until = watch_.elapsed_s() + kDecisiveShare * watch_.limit_s();
    const double pass = task_.draw->seconds();
    for (OperatorCall* call : doubtful) constants_[call->position] = passes_->constant_of(call->position);
    end_passes();
    task_.draw.reset();
    if (3 * pass > watch_.remaining_s()) return;
    auto second = FixedDraw::make(session_, kFirstSeed + 1, kFirstSeed + 1);
    if (!second) return static_cast<void>(session_.explain(second.error()));
    if (const auto established = (*second)->establish(); !established) {
      return static_cast<void>(session_.explain(established.error()));
    }
    passes_.emplace(session_, **second, *task_.paths);
    const int witnesses = count_witnesses({doubtful.begin(), doubtful.end()});
    passes_->record_tape(evidence_, witnesses, until - watch_.elapsed_s());
    for (OperatorCall* call : doubtful) {
      if (std::min(until, watch_.limit_s()) - watch_.elapsed_s() < passes_->seconds()) break;
      confirm_call(*call);
    }
    end_passes();
  }

  // Before their draw.
  void end_passes() {
    if (Json summary = passes_->summary(); !summary.is_null()) {
      evidence_.extra["mutant_passes"].push_back(std::move(summary));
    }
    passes_.reset();
  }

  void confirm_call(OperatorCall& call) {
    const Retest again = retest(*passes_, call);
    if (!again.tried) return;
    const bool other_constant = call.why == "constant result" && again.constant != constants_[call.position];
    const bool noticed = again.noticed || other_constant;
    call.draws_tried = 2;
    if (noticed) {
      call.why = "on one of two draws it would be " + call.verdict + ": " + call.why;
      call.verdict = call_verdict::kNeeded;
      call.exact = false;
    } else if (again.noticed_exact) {
      call.exact = false;
    }
  }

  void count(MutationEvidence& mutation) const {
    for (const OperatorCall& call : evidence_.calls) {
      mutation.calls_tested += call.verdict != call_verdict::kUntested && call.verdict != call_verdict::kExempt;
      for (const Mutant& mutant : call.mutants) {
        mutation.equivalent += mutant.identical;
        if (!counts(mutant)) continue;
        ++mutation.mutants;
        mutation.noticed += *mutant.noticed;
        mutation.noticed_exact += *mutant.noticed_exact;
      }
    }
    if (mutation.mutants == 0) return;
    mutation.score = static_cast<double>(mutation.noticed) / mutation.mutants;
    mutation.score_exact = static_cast<double>(mutation.noticed_exact) / mutation.mutants;
  }

  TaskSession& session_;
  const Stopwatch& watch_;
  TracedTask& task_;
  TaskEvidence& evidence_;
  std::optional<MutantPasses> passes_;
  std::unordered_map<int, std::optional<double>> constants_;  // MutantPasses::constant_of() on the first draw
};

}  // namespace

void run_mutation_probe(TaskSession& session, const Stopwatch& watch, TracedTask& task, TaskEvidence& evidence) {
  if (!task.missing.empty()) {
    evidence.missing[kMutationProbe] = task.missing;
    return;
  }
  const double scale = evidence.outputs.empty() ? 0 : evidence.outputs[0].mean_absolute.value_or(0);
  if (task.draw->repeat_change() > evidence.atol + evidence.rtol * scale) {
    evidence.missing[kMutationProbe] = "forward gives different outputs for equal inputs and random numbers";
    return;
  }
  const Status status = guarded([&]() -> Status { return MutationProbe(session, watch, task, evidence).run(); });
  if (!status) {
    evidence.missing[kMutationProbe] = session.explain(status.error());
    evidence.mutation.reset();
  }
}

}  // namespace kernel_audit::filters
