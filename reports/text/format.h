// Metrics as text, by their hint alone: no metric is known by name here. A missing value shows its reason.
#pragma once

#include <optional>
#include <string>

#include "auditor/core/metric.h"

namespace kernel_audit::reports {

// The number by itself: "12.3 µs", "3.05×", "1.50 MiB". Independent of the locale.
std::string format_value(double value, Hint hint, const std::string& unit);

// "3.05× [2.98, 3.12] (95 %)", or "n/a (the reason)".
std::string format_metric(const Metric& metric);

// For a table cell: "3.05×", "n/a" when missing, "–" when there is no such metric.
std::string format_cell(const std::optional<Metric>& metric);

// "seed_std_max" as "seed std max".
std::string label_of(const Metric& metric);

// Who says so, in words: "referee clock", "candidate process".
std::string origin_words(Origin origin);

}  // namespace kernel_audit::reports
