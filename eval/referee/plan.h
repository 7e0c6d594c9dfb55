// How much is measured: calls per window and rounds, computed from the baseline alone before the candidate
// exists. Nothing that the candidate does changes them. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "eval/timing/random.h"

namespace kernel_audit::eval {

// Of a device whose contexts take turns: a candidate ten times as fast still fills more than the switch between them
// takes (310 µs on an H200, up to 550 µs on some).
inline constexpr double kDeviceWindowNs = 12e6;
// A window shorter than this is mostly switching between processes; single calls from here on are within 1 %.
inline constexpr double kWindowNs = 3e6;
inline constexpr double kWindowSpreads = 20;  // and at least so many times the null worker's spread
inline constexpr double kLeastSpreads = 6;    // below this, as measured, the window is made longer
inline constexpr int kMostGrowths = 3;

struct WindowLimits {
  int message_calls = 1;           // what fits a packet
  std::uint64_t call_bytes = 0;    // inputs and outputs of one call
  std::uint64_t memory_bytes = 0;  // budget for all copies of a window
  double draw_ns = 0;              // referee's time to make one call's content
  double budget_ns = 0;            // of measuring
  double null_spread_ns = 0;       // of the null worker's windows: what a window must stand out from
  double window_ns = kWindowNs;    // least length of the baseline's windows of several calls
};

// Copies of a call's tensors that are alive at once: two arenas with slack, pristine inputs and expected outputs,
// received outputs, the party's held outputs.
inline constexpr std::uint64_t kCopiesPerCall = 6;

// K, with a random excess of up to a quarter that nobody can foresee. 1 for calls that are long enough alone.
int choose_calls(double baseline_call_ns, const WindowLimits& limits, Random& random);

// What the limits allow at most.
int most_calls(const WindowLimits& limits);

// The baseline's windows of `calls`, alone, against the null worker's: twice as many calls, or as many as the limits
// allow, when they stand out from the null worker's spread too little for a ratio; nothing when they stand out, or when
// no more calls are allowed.
std::optional<int> more_calls(int calls, const std::vector<double>& baseline_walls,
                              const std::vector<double>& null_walls, const WindowLimits& limits);

struct RoundCosts {
  double round_ns = 0;   // one solo round, all told: drawing, both parties, comparing
  double window_ns = 0;  // the baseline's window in it
  double budget_ns = 0;
};

inline constexpr int kLeastRounds = 8, kMostRounds = 40;

// Rounds for a half width of the ratio's interval of about 2 % at the baseline's noise, within the budget.
int choose_rounds(const std::vector<double>& baseline_walls, const RoundCosts& costs);

}  // namespace kernel_audit::eval
