// Between real processes: who shares, who is alone, who waits, and what a killed holder leaves behind.
#include "auditor/process/device_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace kernel_audit::process {
namespace {

using namespace std::chrono_literals;

// Seen by all processes of a case.
struct Shared {
  std::atomic<int> ready{0}, inside{0}, most_inside{0}, broken{0};
  std::atomic<bool> stop{false};
};

class DeviceLockTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/device-lock-XXXXXX";
    folder_ = ::mkdtemp(name);
    shared_ = static_cast<Shared*>(
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    new (shared_) Shared;
  }
  void TearDown() override {
    shared_->stop = true;
    for (const pid_t child : children_) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    ::munmap(shared_, sizeof(Shared));
    std::filesystem::remove_all(folder_);
  }
  DeviceLock open() {
    auto lock = DeviceLock::open("GPU-1", folder_);
    EXPECT_TRUE(lock.ok());
    return std::move(*lock);
  }
  template <typename Body>
  pid_t start(Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
      body(open());
      ::_exit(0);
    }
    children_.push_back(child);
    return child;
  }
  void await_ready(int count) {
    while (shared_->ready < count) std::this_thread::sleep_for(1ms);
  }
  void hold_for_ever(bool alone) {
    start([this, alone](DeviceLock lock) {
      alone ? lock.take_alone(10s) : lock.share(10s);
      ++shared_->ready;
      for (;;) ::pause();
    });
  }

  std::string folder_;
  Shared* shared_ = nullptr;
  std::vector<pid_t> children_;
};

TEST_F(DeviceLockTest, ManyShareAndOneIsAlone) {
  hold_for_ever(false);
  await_ready(1);
  DeviceLock lock = open();
  EXPECT_TRUE(lock.share(1s));
  int waits = 0;
  EXPECT_FALSE(lock.take_alone(100ms, [&] { ++waits; }));
  EXPECT_EQ(waits, 1);
  EXPECT_EQ(lock.held(), DeviceLock::Held::kNothing);
  EXPECT_TRUE(lock.share(1s));  // having given up, it does not keep the gate shut
}

TEST_F(DeviceLockTest, AKilledHolderHoldsNothing) {
  hold_for_ever(true);
  await_ready(1);
  DeviceLock lock = open();
  EXPECT_FALSE(lock.share(50ms));
  EXPECT_FALSE(lock.take_alone(50ms));
  ::kill(children_[0], SIGKILL);
  EXPECT_TRUE(lock.take_alone(5s));
  EXPECT_EQ(lock.held(), DeviceLock::Held::kAlone);
}

TEST_F(DeviceLockTest, WhoIsAloneIsAlone) {
  for (int i = 0; i < 3; ++i) {
    start([this, i](DeviceLock lock) {
      while (!shared_->stop) {
        const bool alone = i == 0;
        if (!(alone ? lock.take_alone(10s) : lock.share(10s))) shared_->broken = 1;
        const int others = shared_->inside.fetch_add(alone ? 100 : 1);
        if (alone ? others != 0 : others >= 100) shared_->broken = 1;
        shared_->most_inside = std::max<int>(shared_->most_inside, others + (alone ? 100 : 1));
        std::this_thread::sleep_for(1ms);
        shared_->inside.fetch_sub(alone ? 100 : 1);
        ++shared_->ready;
        lock.give_back();
      }
    });
  }
  await_ready(150);
  EXPECT_EQ(shared_->broken, 0);
  EXPECT_GE(shared_->most_inside, 100);
}

// Two that share take turns so that the device is never free; each gives way where it would begin anew.
TEST_F(DeviceLockTest, ThoseWhoShareCannotStarveTheOneWhoWantsItAlone) {
  for (int i = 0; i < 2; ++i) {
    start([this](DeviceLock lock) {
      while (!shared_->stop) {
        lock.share(10s);
        ++shared_->ready;
        std::this_thread::sleep_for(20ms);
      }
    });
  }
  await_ready(4);
  DeviceLock lock = open();
  EXPECT_TRUE(lock.take_alone(2s));
}

TEST_F(DeviceLockTest, AFolderThatCannotBeWrittenIsAnError) {
  const auto lock = DeviceLock::open("cpu", folder_ + "/none");
  ASSERT_FALSE(lock.ok());
  EXPECT_NE(lock.error().describe().find("none"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::process
