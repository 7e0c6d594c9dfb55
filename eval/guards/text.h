// Small helpers that guards share: numbers in messages, and effects that depend on what was found.
#pragma once

#include <string>

#include "auditor/core/finding.h"
#include "auditor/core/metric.h"
#include "auditor/core/policy.h"
#include "eval/evidence.h"

namespace kernel_audit::eval::guards {

std::string nanoseconds_text(double ns);              // "310 ns", "12.3 µs", "4.56 ms", "1.20 s"
std::string factor_text(double factor);               // "2.31"
std::string interval_text(const Interval& interval);  // "1.8 to 2.31"
std::string place_text(const CheckResult& check);     // "output 0 of call 3 in round 2"

Metric duration_metric(const std::string& id, double ns, Origin origin);
Metric count_metric(const std::string& id, double value, Origin origin = Origin::kRefereeMemory);

// `finding` with another effect than its guard's default; a policy that names the guard has the last word.
Finding with_effect(Finding finding, const Policy& policy, Effect effect);

// Whether an output of the candidate was refused: by the benchmark's tolerance, and by the fp64 oracle too where
// it ran. A candidate at least as accurate as the reference is never wrong.
bool refused(const CheckResult& check);

// Whether the fault is an output of a wrong number, shape or type, which is a wrong answer and no crash.
bool is_wrong_form(const Fault& fault);

}  // namespace kernel_audit::eval::guards
