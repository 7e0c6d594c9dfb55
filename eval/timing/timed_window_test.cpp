// Drives the timed protocol with a recording fake: the order of its steps, and what is left behind when
// any one of them fails.
#include "eval/timing/timed_window.h"

#include <gtest/gtest.h>

#include <vector>

namespace kernel_audit::eval {
namespace {

// Device, party, content and clock in one: writes down each call, fails or throws nothing but the step it is told to.
struct Recorder {
  std::vector<std::string> calls;
  int fail_at = -1;  // index of the call that fails
  int busy_probes = 0;
  bool frozen = true, killed = false;
  double now = 0;

  bool fails(const std::string& name) {
    calls.push_back(name);
    now += 1;
    return static_cast<int>(calls.size()) - 1 == fail_at;
  }
  Status status(const std::string& name) {
    if (fails(name)) return Error{ErrorKind::kTool, name, "", "", ""};
    return Ok{};
  }

  Status freeze() {
    const Status result = status("freeze");
    if (result.ok()) frozen = true;
    return result;
  }
  Status thaw() {
    frozen = false;  // a failed thaw may have thawed some of the tree
    return status("thaw");
  }
  void kill() {
    killed = true;
    fails("kill");
  }
  Status send(std::string_view bytes) { return status("send " + std::string(bytes)); }
  Result<std::string> receive() {
    if (fails("receive")) return Error{ErrorKind::kExit, "gone", "", "", ""};
    return std::string("done");
  }
  Result<worker::GapProbe> gap_probe() {
    if (fails("probe")) return Error{ErrorKind::kTool, "probe", "", "", ""};
    const bool idle = busy_probes-- <= 0;
    return worker::GapProbe{idle ? 100.0 : 2.4e6, 3e6, idle};
  }
  Status flush_cache() { return status("flush"); }
  Status synchronize() { return status("sync"); }
  Status write_inputs() { return status("write"); }
  Status poison_outputs() { return status("poison"); }
  Status copy_out() { return status("copy out"); }
  double now_ns() {
    calls.push_back("clock");
    return now;
  }
};

bool drive(Recorder& r, WindowOutcome& outcome, WindowFailure* failure = nullptr) {
  TimedWindow window(r, r, r, r);
  const bool ok = window.run({"run", true, true}, outcome);
  if (failure) *failure = window.failure();
  return ok;
}

const std::vector<std::string> kOrder = {"freeze",   "probe", "write", "poison",   "flush",
                                         "sync",     "clock", "thaw",  "send run", "receive",
                                         "copy out", "sync",  "clock", "freeze",   "probe"};

TEST(TimedWindow, StepsComeInTheirOrder) {
  Recorder r;
  WindowOutcome outcome;
  ASSERT_TRUE(drive(r, outcome));
  EXPECT_EQ(r.calls, kOrder);
  EXPECT_TRUE(r.frozen);
  EXPECT_FALSE(r.killed);
  EXPECT_EQ(outcome.reply, "done");
  EXPECT_EQ(outcome.wall_ns, 5);  // thaw, send, receive, copy out, sync: nothing before, nothing after
  ASSERT_TRUE(outcome.before && outcome.after);
  EXPECT_TRUE(outcome.after->idle);
}

TEST(TimedWindow, ProbesOnlyWhenAskedTo) {
  Recorder r;
  WindowOutcome outcome;
  TimedWindow window(r, r, r, r);
  ASSERT_TRUE(window.run({"run", false, false}, outcome));
  EXPECT_EQ(std::count(r.calls.begin(), r.calls.end(), "probe"), 0);
  EXPECT_FALSE(outcome.before || outcome.after);
}

TEST(TimedWindow, EveryStepThatFailsIsNamedAndLeavesThePartyFrozenOrKilled) {
  for (int i = 0; i < static_cast<int>(kOrder.size()); ++i) {
    if (kOrder[static_cast<std::size_t>(i)] == "clock") continue;
    Recorder r;
    r.fail_at = i;
    WindowOutcome outcome;
    WindowFailure failure;
    EXPECT_FALSE(drive(r, outcome, &failure)) << i;
    EXPECT_STRNE(failure.step, "") << i;
    EXPECT_EQ(failure.by_party, i == 8 || i == 9) << i;
    const bool thawed = i >= 7 && i <= 13;
    EXPECT_EQ(r.killed, thawed) << kOrder[static_cast<std::size_t>(i)];
    EXPECT_TRUE(r.frozen || r.killed) << i;
    // Nothing of the protocol goes on after the failure.
    EXPECT_EQ(r.calls.size(), static_cast<std::size_t>(i) + (thawed ? 2u : 1u));
  }
}

TEST(TimedWindow, NoInputIsWrittenWhileTheDeviceIsBusy) {
  Recorder r;
  r.busy_probes = 1000;
  WindowOutcome outcome;
  EXPECT_TRUE(drive(r, outcome));
  EXPECT_TRUE(outcome.still_busy);
  EXPECT_EQ(std::count(r.calls.begin(), r.calls.end(), "write"), 0);
  EXPECT_EQ(std::count(r.calls.begin(), r.calls.end(), "probe"), kProbeTries);
}

TEST(TimedWindow, AHoleIsKeptAlthoughTheDeviceBecameIdleLater) {
  Recorder r;
  r.busy_probes = 3;
  WindowOutcome outcome;
  EXPECT_TRUE(drive(r, outcome));
  EXPECT_FALSE(outcome.still_busy);
  ASSERT_TRUE(outcome.before);
  EXPECT_FALSE(outcome.before->idle);
  EXPECT_TRUE(outcome.after->idle);
}

TEST(TimedWindow, AWindowThatIsGivenUpByAnExceptionKillsTheParty) {
  struct Throwing : Recorder {
    Result<std::string> receive() { throw std::runtime_error("allocation failed"); }
  } r;
  WindowOutcome outcome;
  EXPECT_THROW(
      {
        TimedWindow window(r, r, r, r);
        window.run({"run", false, false}, outcome);
      },
      std::runtime_error);
  EXPECT_TRUE(r.killed);
}

}  // namespace
}  // namespace kernel_audit::eval
