// A probe job beside another process that has the device alone: it waits, says so, and charges itself nothing.

#include "auditor/process/device_turns.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "filters/evidence.h"
#include "filters/probes/accelerated.h"
#include "filters/probes/job.h"
#include "filters/probes/request.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {
namespace {

using namespace std::chrono_literals;

// Has the device alone for a while, in a process of its own; returns when it does.
pid_t hold_alone(const std::string& device, std::chrono::milliseconds time) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto lock = process::DeviceLock::open(device);
    const bool held = lock.ok() && lock->take_alone(20s);
    static_cast<void>(::write(ends[1], held ? "y" : "n", 1));
    std::this_thread::sleep_for(time);
    ::_exit(0);  // it dies holding the lock
  }
  char answer = 0;
  EXPECT_EQ(::read(ends[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  ::close(ends[0]);
  ::close(ends[1]);
  return child;
}

TEST(DeviceTurns, AJobWaitsForAProcessThatHasTheDeviceAlone) {
  TemporaryTasks tasks;
  const std::string path = tasks.write(
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n"
      "def get_inputs():\n    return [torch.randn(64)]\ndef get_init_inputs():\n    return []\n");
  const pid_t holder = hold_alone("cpu", 1500ms);
  std::vector<std::string> heard;
  const auto start = std::chrono::steady_clock::now();
  const auto result = run_probe_job({{"kind", "probe"}, {"task", {{"path", path}}}, {"preset", "robust-kbench"}},
                                    [&](const Json& message) { heard.push_back(message.value("kind", "")); });
  ::waitpid(holder, nullptr, 0);
  ASSERT_TRUE(result.ok());
  EXPECT_GT(std::chrono::steady_clock::now() - start, 1s);
  ASSERT_GE(heard.size(), 2U);
  EXPECT_EQ(heard[0], "waiting");
  EXPECT_EQ(heard[1], "going-on");
  const TaskEvidence evidence = read_json<TaskEvidence>(*result, "evidence").value();
  EXPECT_FALSE(evidence.missing.contains(kWholeTask));
  EXPECT_GT(evidence.extra.at("device_wait_s").get<double>(), 1.0);
  EXPECT_LT(evidence.extra.at("seconds").get<double>(), 10.0);
}

TEST(DefaultDevice, HoldsWhileItLives) {
  TemporaryTasks tasks;
  auto module = worker::PythonModule::load(
      tasks.write("import torch\ndef get_inputs():\n    return [torch.randn(3), torch.zeros(2, device='cpu')]\n"),
      "default_device_task");
  ASSERT_TRUE(module.ok());
  {
    const DefaultDevice there("meta");
    const auto inputs = (*module)->call_get_inputs();
    ASSERT_TRUE(inputs.ok());
    EXPECT_TRUE((*inputs)[0].tensor->is_meta());
    EXPECT_TRUE((*inputs)[1].tensor->is_cpu());
  }
  EXPECT_TRUE((*(*module)->call_get_inputs())[0].tensor->is_cpu());
}

TEST(DeviceTurns, WaitingIsNoTimeOfItsOwn) {
  process::DeviceTurns turns({});
  turns.open("turns-test");
  const Stopwatch watch(1, /*processor_time=*/false, &turns.waited_s());
  const pid_t holder = hold_alone("turns-test", 600ms);
  turns.work();
  ::waitpid(holder, nullptr, 0);
  EXPECT_GT(turns.waited_s(), 0.3);
  EXPECT_LT(watch.elapsed_s(), 0.25);
}

TEST(DeviceTurns, WhoIsAloneStaysAloneUntilTheEnd) {
  process::DeviceTurns turns({}), other({});
  turns.open("turns-test");
  auto lock = process::DeviceLock::open("turns-test");
  ASSERT_TRUE(lock.ok());
  turns.work();
  {
    const process::DeviceTurns::Alone alone(turns);
    EXPECT_FALSE(alone.missing().has_value());
    turns.rest();
    turns.work();
    EXPECT_FALSE(lock->share(30ms));
  }
  EXPECT_TRUE(lock->share(1s));  // beside the first, which shares again
  EXPECT_FALSE(lock->take_alone(30ms));
  turns.rest();
  EXPECT_TRUE(lock->take_alone(1s));
  lock->give_back();
  {
    const process::DeviceTurns::Alone alone(turns);
  }
  EXPECT_TRUE(lock->take_alone(1s));  // nothing was held before
  const process::DeviceTurns::Alone nowhere(other);
  EXPECT_TRUE(nowhere.missing().has_value());
}

}  // namespace
}  // namespace kernel_audit::filters
