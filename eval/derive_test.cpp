#include "eval/derive.h"

#include <gtest/gtest.h>

#include <set>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval {
namespace {

const Metric* find(const std::vector<Metric>& list, const std::string& id) {
  for (const Metric& metric : list) {
    if (metric.id == id) return &metric;
  }
  return nullptr;
}

TEST(Derive, TimesAreProvenLessTheNullWorker) {
  const EvalEvidence e = honest_evidence();
  ASSERT_TRUE(e.candidate_time && e.baseline_time && e.baseline_solo_time && e.null_time && e.speedup);
  EXPECT_NEAR(*e.candidate_time->value, 2e6, 2e3);
  EXPECT_NEAR(*e.baseline_time->value, 4e6, 5e3);
  EXPECT_NEAR(*e.null_time->value, 300e3, 1e3);
  EXPECT_NEAR(*e.speedup->value, 2, 0.01);
  EXPECT_EQ(e.speedup->origin, Origin::kRefereeClock);
  EXPECT_NEAR(*e.device_speedup->value, 2, 0.01);
  EXPECT_EQ(e.device_speedup->origin, Origin::kCandidateProcess);
}

TEST(Derive, WarmUpWindowsAndOtherModesDoNotCount) {
  EvalEvidence e = honest_evidence();
  const double before = *e.candidate_time->value;
  for (int i = 0; i < 50; ++i) {
    ProvenWindow window = e.windows.back();
    window.wall_ns = 1;
    window.warmup = true;
    e.windows.push_back(window);
    window.warmup = false;
    window.mode = CallMode::kWindow;
    window.calls = 20;
    e.windows.push_back(window);
  }
  derive_times(e);
  EXPECT_EQ(*e.candidate_time->value, before);
}

// Windows of 100 calls on a GPU: the null worker's window holds 1 ms of host work that overlaps with kernels.
EvalEvidence gpu_windows(const std::string& device) {
  EvalEvidence e = honest_evidence();
  e.device = device;
  e.measured_mode = CallMode::kWindow;
  e.calls_per_window = 100;
  e.windows.clear();
  for (int round = 0; round < 12; ++round) {
    const auto add = [&](Party party, CallMode mode, int calls, double wall_ns) {
      ProvenWindow window;
      window.party = party;
      window.round = round;
      window.mode = mode;
      window.calls = calls;
      window.wall_ns = wall_ns;
      e.windows.push_back(window);
    };
    add(Party::kNull, CallMode::kSingle, 1, 300e3);
    add(Party::kNull, CallMode::kWindow, 100, 1300e3);
    add(Party::kCandidate, CallMode::kWindow, 100, 2300e3);
    add(Party::kBaseline, CallMode::kWindow, 100, 4300e3);
  }
  derive_times(e);
  return e;
}

TEST(Derive, AnOverlapThatCannotBeToldWidensTheIntervalAndLendsNoSpeedup) {
  const EvalEvidence gpu = gpu_windows("cuda");
  ASSERT_TRUE(gpu.speedup && gpu.candidate_time);
  EXPECT_NEAR(*gpu.speedup->value, 2, 0.01) << "4 ms over 2 ms, not 3 ms over 1 ms";
  EXPECT_LE(gpu.speedup->interval->low, 2.01);
  EXPECT_GE(gpu.speedup->interval->high, 2.99);
  EXPECT_NEAR(gpu.candidate_time->interval->low, 10e3, 100);
  EXPECT_NEAR(gpu.candidate_time->interval->high, 20e3, 100);
  const EvalEvidence cpu = gpu_windows("cpu");
  ASSERT_TRUE(cpu.speedup);
  EXPECT_NEAR(*cpu.speedup->value, 3, 0.01) << "on a CPU nothing overlaps";
}

TEST(Derive, ClaimsThatWereNotMeasuredAreAbsent) {
  EvalEvidence e = honest_evidence();
  EXPECT_FALSE(claimed_median(e.claimed, &CallTimes::event_ns).has_value());
  e.claimed.clear();
  derive_times(e);
  EXPECT_FALSE(e.device_speedup.has_value());
}

TEST(Derive, EveryMetricHasAValueOrAReasonAndItsIdOnce) {
  EvalEvidence empty;
  derive_times(empty);
  for (const EvalEvidence& e : {honest_evidence(), empty}) {
    std::set<std::string> ids;
    for (const Metric& metric : metrics(e)) {
      EXPECT_TRUE(ids.insert(metric.id).second) << metric.id;
      EXPECT_NE(metric.value.has_value(), !metric.missing_reason.empty()) << metric.id;
    }
    EXPECT_GE(ids.size(), 12u);
  }
  const auto list = metrics(empty);
  ASSERT_NE(find(list, "proven_speedup"), nullptr);
  EXPECT_FALSE(find(list, "proven_speedup")->value.has_value());
}

TEST(Derive, GraphReplaysHaveARatioOfTheirOwn) {
  EvalEvidence e = honest_evidence();
  for (int round = 0; round < 8; ++round) {
    for (const auto& [party, wall] :
         {std::pair{Party::kCandidate, 1e6}, {Party::kBaseline, 5e6}, {Party::kNull, 0.0}}) {
      ProvenWindow window;
      window.party = party;
      window.round = round;
      window.mode = CallMode::kGraph;
      window.wall_ns = wall;
      e.windows.push_back(window);
    }
  }
  derive_times(e);
  ASSERT_TRUE(e.graph_speedup.has_value());
  EXPECT_NEAR(*e.graph_speedup->value, 5, 1e-9);
  EXPECT_NEAR(*e.speedup->value, 2, 0.01);
}

}  // namespace
}  // namespace kernel_audit::eval
