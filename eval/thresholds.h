// The thresholds of stage 3 that a policy may set, by their ids; each guard gives its default where it asks for one.
#pragma once

#include <string_view>

namespace kernel_audit::eval {

inline constexpr std::string_view kThresholds[] = {
    "eval.baseline.drift",      "eval.baseline.review_drift", "eval.baseline.unsteady",
    "eval.clocks.hidden_share", "eval.clocks.ratio_margin",   "eval.clocks.review_share",
    "eval.clocks.sync_share",   "eval.speedup.resolution",    "eval.wrong.atol"};

}  // namespace kernel_audit::eval
