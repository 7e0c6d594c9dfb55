// From windows to figures: fills the derived metrics of EvalEvidence (null time, proven times, speedups)
// from its windows and claims. Pure; the same evidence always gives the same figures.
#pragma once

#include <vector>

#include "eval/evidence.h"
#include "eval/timing/statistics.h"

namespace kernel_audit::eval {

// Windows of one party that count: not warm-up, of that mode, solo or not.
std::vector<double> walls(const EvalEvidence& evidence, Party party, CallMode mode, int calls, bool solo);
// Single calls of the null worker, whatever phase they were measured in: what a window costs that does nothing.
std::vector<double> single_null_walls(const EvalEvidence& evidence);
// Proven time of one call, from windows of `calls`: less the null worker's windows, and, when `single_null_ns` are
// given (a device that runs beside its host), with an interval that reaches to what its single calls leave. In
// nanoseconds; absent with fewer than three windows of either.
std::optional<Estimate> proven_call_time(const std::vector<double>& wall_ns, const std::vector<double>& null_ns,
                                         const std::vector<double>& single_null_ns, int calls);
// Rounds in which candidate, baseline and null worker were all measured, in order.
std::vector<Round> complete_rounds(const EvalEvidence& evidence, CallMode mode, int calls);

// Median of one claimed figure over calls in which it was measured and is a possible time; absent when
// there is none.
std::optional<double> claimed_median(const std::vector<ClaimedCall>& calls, double CallTimes::* figure);

// The baseline's time beside the candidate over its time alone, less 1; 0 where the two intervals overlap, which is
// noise, or where a time is missing.
double baseline_drift(const EvalEvidence& evidence);

void derive_times(EvalEvidence& evidence);

// Everything that is reported about one evaluation, present or missing with a reason; ids are stable.
std::vector<Metric> metrics(const EvalEvidence& evidence);

}  // namespace kernel_audit::eval
