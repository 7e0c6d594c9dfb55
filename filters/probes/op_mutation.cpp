#include "filters/probes/op_mutation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "filters/probes/guard.h"
#include "filters/probes/mutants.h"

namespace kernel_audit::filters {
namespace {

// Shares of the time limit: for the mutants that decide between needed, redundant and dead, and for those that
// only refine the score.
constexpr double kDecisiveShare = 0.25, kRefiningShare = 0.10;
constexpr std::size_t kMaxMutants = 9;

bool is_tested(const OperatorCall& call) { return call.kind == call_kind::kCompute || call.kind == call_kind::kRandom; }

bool ran(const Mutant& mutant) { return mutant.noticed.has_value() && !mutant.identical; }

// Decides between needed, redundant and dead; the rest only refines the score.
bool is_decisive(const MutantSpec& spec) {
  return spec.kind == "zero" || spec.kind == "pass-through" || spec.kind == "mean" ||
         (spec.kind == "noise" && spec.scale >= 1);
}

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
    plan();
    draw_ = task_.draw.get();
    for (const bool decisive : {true, false}) {
      const double until = watch_.elapsed_s() + (decisive ? kDecisiveShare : kRefiningShare) * watch_.limit_s();
      for (std::size_t round = 0; round < kMaxMutants; ++round) {
        for (std::size_t at = 0; at < evidence_.calls.size(); ++at) try_mutant(at, round, decisive, until);
      }
    }
    for (OperatorCall& call : evidence_.calls) judge(call);
    confirm();
    count(mutation);
    return Ok{};
  }

 private:
  void plan() {
    specs_.resize(evidence_.calls.size());
    constants_.resize(evidence_.calls.size());
    for (OperatorCall& call : evidence_.calls) {
      if (!is_tested(call)) continue;
      specs_[call.position] = mutants_for(call.input_shapes, call.output_shapes, call.dtype);
      for (const MutantSpec& spec : specs_[call.position]) call.mutants.push_back(described(spec));
    }
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
    if (round >= call.mutants.size() || is_decisive(specs_[at][round]) != decisive) return;
    Mutant& mutant = call.mutants[round];
    const double left = std::min(until_s, watch_.limit_s()) - watch_.elapsed_s();
    if (draw_->seconds() > left) {
      mutant.missing = "not run: a pass needs about " + format_seconds(draw_->seconds()) + " and " +
                       format_seconds(std::max(0.0, left)) + " are left for it";
      return;
    }
    std::optional<double> constant;
    apply(*draw_, call, specs_[at][round], mutant, constant);
    if (constant) constants_[at] = constant;
  }

  // One pass with one mutant. A mutant under which forward fails is noticed.
  void apply(FixedDraw& draw, const OperatorCall& call, const MutantSpec& spec, Mutant& mutant,
             std::optional<double>& constant) {
    MutatingObserver observer(*task_.paths, call.position, call.op, spec);
    auto outputs = draw.run(&observer);
    mutant.identical = observer.identical;
    constant = observer.constant;
    if (!observer.applied) {
      mutant.missing = !observer.missing.empty() ? observer.missing
                       : outputs                 ? "forward makes fewer calls than when it was recorded"
                                                 : session_.explain(outputs.error());
      return;
    }
    if (!outputs) {
      const std::string reason = session_.explain(outputs.error());
      if (outputs.error().kind == ErrorKind::kMemory) {
        mutant.missing = reason;
        return;
      }
      mutant.failed = true;
      mutant.noticed = mutant.noticed_exact = true;
      return;
    }
    const auto difference = guarded([&]() -> Result<Difference> { return draw.judge(*outputs); });
    if (!difference) {
      mutant.missing = session_.explain(difference.error());
      return;
    }
    mutant.noticed = difference->noticed;
    mutant.noticed_exact = difference->noticed_exact;
    mutant.max_error = difference->max_error;
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
    for (std::size_t i = 0; i < call.mutants.size(); ++i) {
      const Mutant& mutant = call.mutants[i];
      const bool decisive = is_decisive(specs_[call.position][i]);
      if (!mutant.noticed) {
        if (decisive && missing.empty()) missing = mutant.missing;
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
    const bool from_input = task_.trace->from_input[call.position];
    if (noticed == 0 && unnoticed >= 2 && missing.empty()) {
      call.verdict = call_verdict::kDead;
      call.why = call.reaches_output ? "swallowed" : "never used";
      call.exact = unnoticed_exact == unnoticed;
    } else if (passed != nullptr && from_input) {
      call.verdict = call_verdict::kRedundant;
      call.why = "identity";
      call.exact = !*passed->noticed_exact;
    } else if (constants_[call.position] && from_input && !call.output_shapes.empty()) {
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

  // Which mutants must stay unnoticed for the verdict to stand.
  std::vector<std::size_t> witnesses(const OperatorCall& call) const {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < call.mutants.size(); ++i) {
      const Mutant& mutant = call.mutants[i];
      if (call.verdict == call_verdict::kDead) {
        if (ran(mutant) && is_decisive(specs_[call.position][i])) list.push_back(i);
      } else if (call.why == "constant result") {
        if (mutant.kind == "mean" || (mutant.kind == "zero" && call.dtype.find("float") == std::string::npos)) {
          list.push_back(i);
        }
      } else if (mutant.kind == "pass-through" && mutant.noticed == std::optional<bool>(false)) {
        list.push_back(i);
      }
    }
    return list;
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
    const double pass = draw_->seconds();
    task_.draw.reset();
    draw_ = nullptr;
    if (3 * pass > watch_.remaining_s()) return;
    auto second = FixedDraw::make(session_, kFirstSeed + 1, kFirstSeed + 1);
    if (!second) return static_cast<void>(session_.explain(second.error()));
    if (const auto established = (*second)->establish(); !established) {
      return static_cast<void>(session_.explain(established.error()));
    }
    for (OperatorCall* call : doubtful) {
      if (std::min(until, watch_.limit_s()) - watch_.elapsed_s() < pass) return;
      confirm_call(**second, *call);
    }
  }

  void confirm_call(FixedDraw& draw, OperatorCall& call) {
    bool tried = false, noticed = false, noticed_exact = false;
    for (const std::size_t at : witnesses(call)) {
      Mutant again;
      std::optional<double> constant;
      apply(draw, call, specs_[call.position][at], again, constant);
      if (call.why == "constant result") {
        const std::optional<double>& before = constants_[call.position];
        tried = true;
        noticed = noticed || !constant || *constant != *before;
        continue;
      }
      if (!again.noticed) continue;
      tried = true;
      noticed = noticed || *again.noticed;
      noticed_exact = noticed_exact || *again.noticed_exact;
    }
    if (!tried) return;
    call.draws_tried = 2;
    if (noticed) {
      call.why = "on one of two draws it would be " + call.verdict + ": " + call.why;
      call.verdict = call_verdict::kNeeded;
      call.exact = false;
    } else if (noticed_exact) {
      call.exact = false;
    }
  }

  void count(MutationEvidence& mutation) const {
    for (const OperatorCall& call : evidence_.calls) {
      mutation.calls_tested += call.verdict != call_verdict::kUntested && call.verdict != call_verdict::kExempt;
      for (const Mutant& mutant : call.mutants) {
        mutation.equivalent += mutant.identical;
        if (!ran(mutant)) continue;
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
  FixedDraw* draw_ = nullptr;
  std::vector<std::vector<MutantSpec>> specs_;
  std::vector<std::optional<double>> constants_;  // value of a call's result where all elements are equal
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
