#include "reports/text/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kernel_audit::reports {
namespace {

std::string to_text(double value, std::chars_format format, int digits) {
  std::array<char, 512> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, digits);
  return error == std::errc() ? std::string(buffer.data(), end) : "?";
}

// Three significant digits without an exponent, as far as that is readable.
std::string short_number(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude != 0 && (magnitude < 1e-3 || magnitude >= 1e7)) return to_text(value, std::chars_format::scientific, 2);
  const int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 || magnitude == 0 ? 2 : 4;
  return to_text(value, std::chars_format::fixed, decimals);
}

struct Scale {
  double from;  // smallest magnitude shown in this unit
  double divisor;
  const char* unit;
};

template <std::size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales) {
  const Scale* chosen = &scales.back();
  for (const Scale& scale : scales) {
    if (std::fabs(value) >= scale.from) {
      chosen = &scale;
      break;
    }
  }
  return short_number(value / chosen->divisor) + " " + chosen->unit;
}

constexpr std::array<Scale, 4> kDurations = {{{1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e3, 1e3, "µs"}, {0, 1, "ns"}}};
constexpr std::array<Scale, 4> kSizes = {
    {{1073741824.0, 1073741824.0, "GiB"}, {1048576.0, 1048576.0, "MiB"}, {1024.0, 1024.0, "KiB"}, {0, 1, "B"}}};

// Nanoseconds in one `unit`; 0 for what is no unit of time.
double nanoseconds_in(const std::string& unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "µs") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return 0;
}

std::string with_unit(double value, const std::string& unit) {
  return short_number(value) + (unit.empty() || unit == "1" ? "" : " " + unit);
}

}  // namespace

std::string format_value(double value, Hint hint, const std::string& unit) {
  if (!std::isfinite(value)) return "not finite";
  switch (hint) {
    case Hint::kDuration:
      return nanoseconds_in(unit) > 0 ? scaled(value * nanoseconds_in(unit), kDurations) : with_unit(value, unit);
    case Hint::kRatio:
      return short_number(value) + "×";
    case Hint::kBytes:
      return scaled(value, kSizes);
    case Hint::kCount:
      return to_text(value, std::chars_format::fixed, value == std::floor(value) ? 0 : 1) +
             (unit.empty() || unit == "1" ? "" : " " + unit);
    case Hint::kPercent:
      return short_number(unit == "1" ? value * 100 : value) + " %";
    case Hint::kError:
      return value == 0 ? "0" : to_text(value, std::chars_format::scientific, 2);
    case Hint::kPlain:
      break;
  }
  return with_unit(value, unit);
}

std::string format_metric(const Metric& metric) {
  if (!metric.value || !std::isfinite(*metric.value)) {
    const std::string reason = metric.value                    ? "the value is not finite"
                               : metric.missing_reason.empty() ? "no reason was recorded"
                                                               : metric.missing_reason;
    return "n/a (" + reason + ")";
  }
  std::string text = format_value(*metric.value, metric.hint, metric.unit);
  if (metric.interval) {
    text += " [" + format_value(metric.interval->low, metric.hint, metric.unit) + ", " +
            format_value(metric.interval->high, metric.hint, metric.unit) + "] (" +
            to_text(metric.interval->level * 100, std::chars_format::general, 4) + " %)";
  }
  return text;
}

std::string format_cell(const std::optional<Metric>& metric) {
  if (!metric) return "–";
  if (!metric->value || !std::isfinite(*metric->value)) return "n/a";
  return format_value(*metric->value, metric->hint, metric->unit);
}

std::string label_of(const Metric& metric) {
  std::string label = metric.id;
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::string origin_words(Origin origin) {
  std::string words = to_string(origin);
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

}  // namespace kernel_audit::reports
