#include "filters/probes/retest.h"

#include <cstdlib>

#include "filters/probes/guard.h"

namespace kernel_audit::filters {
namespace {

// The number at the end of "argument 1" or "axis 2".
int number_in(const std::string& detail) {
  const auto space = detail.rfind(' ');
  return space == std::string::npos ? -1 : std::atoi(detail.c_str() + space + 1);
}

MutantSpec spec_of(const Mutant& mutant) {
  MutantSpec spec;
  spec.kind = mutant.kind;
  spec.scale = mutant.scale.value_or(0);
  if (spec.kind == "pass-through") spec.argument = number_in(mutant.detail);
  if (spec.kind == "shuffle") spec.axis = number_in(mutant.detail);
  return spec;
}

bool is_witness(const OperatorCall& call, const Mutant& mutant) {
  if (call.verdict == call_verdict::kDead) return counts(mutant) && is_decisive(mutant);
  if (call.why == "constant result") return mutant.kind == "zero";  // whose pass tells what the true result is
  return mutant.kind == "pass-through" && mutant.noticed == std::optional<bool>(false);
}

}  // namespace

bool is_decisive(const Mutant& mutant) {
  return mutant.kind == "zero" || mutant.kind == "pass-through" || mutant.kind == "mean" ||
         (mutant.kind == "noise" && mutant.scale.value_or(0) >= 1);
}

std::optional<double> run_mutant(TaskSession& session, FixedDraw& draw, const ModulePaths& paths,
                                 const OperatorCall& call, Mutant& mutant) {
  MutatingObserver observer(paths, call.position, call.op, spec_of(mutant));
  auto outputs = draw.run(&observer);
  mutant.identical = observer.identical;
  if (!observer.applied) {
    mutant.missing = !observer.missing.empty() ? observer.missing
                     : outputs                 ? "forward makes fewer calls than when it was recorded"
                                               : session.explain(outputs.error());
    return std::nullopt;
  }
  if (!outputs) {
    const std::string reason = session.explain(outputs.error());
    if (outputs.error().kind == ErrorKind::kMemory) {
      mutant.missing = reason;
    } else {
      mutant.failed = true;
      mutant.noticed = mutant.noticed_exact = true;
    }
    return observer.constant;
  }
  const auto difference = guarded([&]() -> Result<Difference> { return draw.judge(*outputs); });
  if (!difference) {
    mutant.missing = session.explain(difference.error());
    return observer.constant;
  }
  mutant.noticed = difference->noticed;
  mutant.noticed_exact = difference->noticed_exact;
  mutant.max_error = difference->max_error;
  return observer.constant;
}

Retest retest(TaskSession& session, FixedDraw& draw, const ModulePaths& paths, const OperatorCall& call) {
  Retest result;
  for (const Mutant& mutant : call.mutants) {
    if (!is_witness(call, mutant)) continue;
    Mutant again;
    again.kind = mutant.kind;
    again.scale = mutant.scale;
    again.detail = mutant.detail;
    const auto constant = run_mutant(session, draw, paths, call, again);
    if (!again.noticed) continue;
    result.tried = true;
    if (call.why == "constant result") {
      result.constant = constant;
      result.noticed = result.noticed_exact = !constant;
      continue;
    }
    result.noticed = result.noticed || *again.noticed;
    result.noticed_exact = result.noticed_exact || *again.noticed_exact;
  }
  return result;
}

}  // namespace kernel_audit::filters
