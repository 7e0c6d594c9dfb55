#include "filters/probes/retest.h"

namespace kernel_audit::filters {

namespace {

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

int count_witnesses(const std::vector<const OperatorCall*>& calls) {
  int count = 0;
  for (const OperatorCall* call : calls) {
    for (const Mutant& mutant : call->mutants) count += is_witness(*call, mutant);
  }
  return count;
}

Retest retest(MutantPasses& passes, const OperatorCall& call) {
  Retest result;
  for (const Mutant& mutant : call.mutants) {
    if (!is_witness(call, mutant)) continue;
    Mutant again;
    again.kind = mutant.kind;
    again.scale = mutant.scale;
    again.detail = mutant.detail;
    passes.run(call, again);
    if (!again.noticed) continue;
    result.tried = true;
    if (call.why == "constant result") {
      result.constant = passes.constant_of(call.position);
      result.noticed = result.noticed_exact = !result.constant;
      continue;
    }
    result.noticed = result.noticed || *again.noticed;
    result.noticed_exact = result.noticed_exact || *again.noticed_exact;
  }
  return result;
}

}  // namespace kernel_audit::filters
