// One measured number: identity, unit, how to print it, its value or the reason why there is none,
// and who says so. Report writers format by `hint` and know no metric by name.
#pragma once

#include <optional>
#include <string>

namespace kernel_audit {

// Who stands behind a claim (ARCHITECTURE: what counts as proof). Only the first three may acquit.
enum class Origin { kRefereeClock, kRefereeMemory, kSource, kCandidateProcess };
const char* to_string(Origin origin);  // "referee-clock", "referee-memory", "source", "candidate-process"
std::optional<Origin> origin_from_string(const std::string& text);

enum class Hint { kPlain, kDuration, kRatio, kBytes, kCount, kPercent, kError };
const char* to_string(Hint hint);
std::optional<Hint> hint_from_string(const std::string& text);

struct Interval {
  double low = 0;
  double high = 0;
  double level = 0.95;  // confidence level
};

struct Metric {
  std::string id;    // "proven_time", stable, snake_case
  std::string unit;  // "ns", "1", "bytes", …
  Hint hint = Hint::kPlain;
  Origin origin = Origin::kRefereeMemory;
  std::optional<double> value;  // null when missing; never 0 in its place; non-finite is missing
  std::string missing_reason;   // set exactly when value is null
  std::optional<Interval> interval;
  std::string description;  // one sentence for --help and for reports
};

}  // namespace kernel_audit
