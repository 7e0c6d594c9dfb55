#include "eval/referee/plan.h"

#include <algorithm>
#include <cmath>

#include "eval/timing/statistics.h"

namespace kernel_audit::eval {

int choose_calls(double baseline_call_ns, const WindowLimits& limits, Random& random) {
  const double window_ns = std::max(kWindowNs, kWindowSpreads * limits.null_spread_ns);
  if (baseline_call_ns >= window_ns) return 1;
  const double wanted =
      std::max(window_ns, limits.window_ns) / std::max(baseline_call_ns, 2e3) * (1 + 0.25 * random.uniform());
  return std::max(1, std::min(static_cast<int>(std::ceil(std::min(wanted, 1e6))), most_calls(limits)));
}

int most_calls(const WindowLimits& limits) {
  double most = limits.message_calls;
  if (limits.call_bytes > 0) {
    const auto fitting = limits.memory_bytes / (kCopiesPerCall * limits.call_bytes);
    most = std::min(most, static_cast<double>(fitting));
  }
  // Drawing content must leave room for the least number of rounds and about as many solo windows.
  if (limits.draw_ns > 0) most = std::min(most, limits.budget_ns / 2 / (2 * kLeastRounds * limits.draw_ns));
  return static_cast<int>(std::floor(most));
}

std::optional<int> more_calls(int calls, const std::vector<double>& baseline_walls,
                              const std::vector<double>& null_walls, const WindowLimits& limits) {
  if (baseline_walls.size() < 3 || null_walls.size() < 3) return std::nullopt;
  const double spread = std::max(robust_deviation(baseline_walls), robust_deviation(null_walls));
  if (median(baseline_walls) - median(null_walls) >= kLeastSpreads * spread) return std::nullopt;
  const int more = std::min(2 * calls, most_calls(limits));
  return more > calls ? std::optional<int>(more) : std::nullopt;
}

int choose_rounds(const std::vector<double>& baseline_walls, const RoundCosts& costs) {
  const double center = baseline_walls.empty() ? 0 : median(baseline_walls);
  const double noise = center > 0 ? standard_deviation(baseline_walls) / center : 0;
  // Half width of a median of ratios of two equally noisy windows: 1.96 · √2 · 1.25 · noise / √rounds.
  const double wanted = std::pow(3.5 * noise / 0.02, 2);
  const double per_round = costs.round_ns + 2 * costs.window_ns;
  const double affordable = per_round > 0 ? costs.budget_ns / per_round : kMostRounds;
  const double rounds = std::clamp(std::ceil(wanted), 10.0, static_cast<double>(kMostRounds));
  return static_cast<int>(std::clamp(std::floor(std::min(rounds, affordable)), static_cast<double>(kLeastRounds),
                                     static_cast<double>(kMostRounds)));
}

}  // namespace kernel_audit::eval
