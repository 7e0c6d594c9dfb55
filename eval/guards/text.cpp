#include "eval/guards/text.h"

#include <cmath>
#include <cstdio>

namespace kernel_audit::eval::guards {

std::string nanoseconds_text(double ns) {
  char text[48];
  const double size = std::fabs(ns);
  if (size < 1e3) {
    std::snprintf(text, sizeof text, "%.0f ns", ns);
  } else if (size < 1e6) {
    std::snprintf(text, sizeof text, "%.1f µs", ns / 1e3);
  } else if (size < 1e9) {
    std::snprintf(text, sizeof text, "%.2f ms", ns / 1e6);
  } else {
    std::snprintf(text, sizeof text, "%.2f s", ns / 1e9);
  }
  return text;
}

std::string factor_text(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", factor);
  return text;
}

std::string interval_text(const Interval& interval) {
  return factor_text(interval.low) + " to " + factor_text(interval.high);
}

std::string place_text(const CheckResult& check) {
  return "output " + std::to_string(check.output) + " of call " + std::to_string(check.call) + " in round " +
         std::to_string(check.round);
}

Metric duration_metric(const std::string& id, double ns, Origin origin) {
  Metric metric;
  metric.id = id;
  metric.unit = "ns";
  metric.hint = Hint::kDuration;
  metric.origin = origin;
  metric.value = ns;
  return metric;
}

Metric count_metric(const std::string& id, double value, Origin origin) {
  Metric metric;
  metric.id = id;
  metric.unit = "1";
  metric.hint = Hint::kCount;
  metric.origin = origin;
  metric.value = value;
  return metric;
}

Finding with_effect(Finding finding, const Policy& policy, Effect effect) {
  if (policy.effects.find(finding.code) == policy.effects.end()) finding.effect = effect;
  return finding;
}

bool refused(const CheckResult& check) {
  return !check.benchmark_accepts && !(check.oracle_ran && check.oracle_accepts);
}

bool is_wrong_form(const Fault& fault) {
  for (const CallStatus status : {CallStatus::kShape, CallStatus::kDtype, CallStatus::kCount, CallStatus::kNotTensor}) {
    if (fault.kind == to_string(status)) return true;
  }
  return false;
}

}  // namespace kernel_audit::eval::guards
