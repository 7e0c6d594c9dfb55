#include "auditor/process/tree.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "auditor/process/procfs.h"
#include "auditor/process/watch.h"

namespace kernel_audit::process {
namespace {

using namespace std::chrono_literals;

// Shared with the processes under test; each of them moves its counter for as long as it runs.
struct Shared {
  std::atomic<std::uint64_t> main{0}, thread{0}, session{0}, forks{0};
  std::atomic<int> ready{0};
};

void count_for_ever(std::atomic<std::uint64_t>& counter) {
  for (;;) counter.fetch_add(1, std::memory_order_relaxed);
}

void* count_in_thread(void* shared) {
  count_for_ever(static_cast<Shared*>(shared)->thread);
  return nullptr;
}

// A tree with a second thread, a grandchild in another session whose parent has died, and a child that
// forks all the time.
[[noreturn]] void run_tree(Shared* shared, const std::string& cgroup, bool leave_main_thread) {
  if (!cgroup.empty()) write_small_file(cgroup + "/cgroup.procs", "0");
  if (::fork() == 0) {
    for (;;) {
      const pid_t child = ::fork();
      if (child == 0) {
        shared->forks.fetch_add(1);
        ::usleep(2000);
        shared->forks.fetch_add(1);
        ::_exit(0);
      }
      if (child > 0) ::waitpid(child, nullptr, 0);
    }
  }
  if (::fork() == 0) {
    if (::fork() == 0) {
      ::setsid();
      count_for_ever(shared->session);
    }
    ::pause();
  }
  pthread_t thread;
  ::pthread_create(&thread, nullptr, count_in_thread, shared);
  shared->ready = 1;
  if (leave_main_thread) ::syscall(SYS_exit, 0);  // this thread alone
  count_for_ever(shared->main);
  ::_exit(0);
}

class TreeTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) {
      cgroup_ = make_cgroup("tree-test");
      if (cgroup_.empty()) GTEST_SKIP() << "no writable cgroup v2 on this machine";
    }
    shared_ = static_cast<Shared*>(
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    new (shared_) Shared;
  }
  void TearDown() override {
    if (root_ > 0) {
      ProcessTree(root_, cgroup_).kill();
      ::waitpid(root_, nullptr, 0);
    }
    remove_cgroup(cgroup_);
  }
  void start(bool leave_main_thread = false) {
    root_ = ::fork();
    if (root_ == 0) run_tree(shared_, cgroup_, leave_main_thread);
    while (shared_->ready == 0 || shared_->session == 0 || shared_->thread == 0 || shared_->forks < 4) {
      std::this_thread::sleep_for(1ms);
    }
  }
  std::uint64_t sum() const { return shared_->main + shared_->thread + shared_->session + shared_->forks; }

  std::string cgroup_;
  Shared* shared_ = nullptr;
  pid_t root_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Freeze, TreeTest, testing::Values(true, false),
                         [](const auto& instance) { return instance.param ? "Cgroup" : "Signals"; });

TEST_P(TreeTest, NothingMovesWhileFrozenAndAllMovesAfterThaw) {
  start();
  ProcessTree tree(root_, cgroup_);
  for (int round = 0; round < 20; ++round) {
    const auto status = tree.freeze();
    ASSERT_TRUE(status.ok()) << status.error().describe();
    const std::uint64_t before = sum();
    std::this_thread::sleep_for(10ms);
    ASSERT_EQ(sum(), before) << "round " << round;
    const std::uint64_t main = shared_->main, thread = shared_->thread, session = shared_->session,
                        forks = shared_->forks;
    ASSERT_TRUE(tree.thaw().ok());
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    while ((shared_->main == main || shared_->thread == thread || shared_->session == session ||
            shared_->forks == forks) &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
    }
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "some process did not go on";
  }
  EXPECT_STREQ(tree.method(), GetParam() ? "cgroup.freeze" : "SIGSTOP");
}

TEST_P(TreeTest, KillTakesAllAlsoWhenFrozen) {
  start();
  ProcessTree tree(root_, cgroup_);
  const std::vector<pid_t> members = tree.members();
  EXPECT_GE(members.size(), 4U);
  ASSERT_TRUE(tree.freeze().ok());
  tree.kill();
  for (const pid_t pid : members) {
    const auto info = process_info(pid);
    EXPECT_TRUE(!info || is_gone(*info)) << pid;
  }
  const std::uint64_t before = sum();
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(sum(), before);
}

TEST_P(TreeTest, AProcessWhoseMainThreadHasLeftIsFrozenToo) {
  start(true);
  ProcessTree tree(root_, cgroup_);
  ASSERT_TRUE(tree.freeze().ok());
  const std::uint64_t before = sum();
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(sum(), before);
  tree.kill();
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(sum(), before);
}

TEST_P(TreeTest, WatchedTreeKillsAtItsLimits) {
  start();
  Limits limits;
  limits.wall = 200ms;
  WatchedTree watched(root_, cgroup_, limits);
  std::optional<Exit> exit;
  EXPECT_FALSE(watched.check().has_value());
  EXPECT_TRUE(watched.alive());
  while (!exit) {
    exit = watched.check();
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(exit->reason, ExitReason::kTimeout);
  EXPECT_GE(exit->wall, 200ms);
  EXPECT_GT(watched.peak_resident_bytes(), 0U);
  EXPECT_FALSE(watched.alive());
}

TEST_P(TreeTest, AClockThatIsHeldReachesNoLimit) {
  start();
  Limits limits;
  limits.wall = 100ms;
  WatchedTree watched(root_, cgroup_, limits);
  watched.hold_clock(true);
  std::this_thread::sleep_for(200ms);
  EXPECT_FALSE(watched.check().has_value());
  watched.hold_clock(false);
  EXPECT_LT(watched.elapsed(), 100ms);
  std::this_thread::sleep_for(120ms);
  EXPECT_TRUE(watched.check().has_value());
}

TEST_P(TreeTest, WatchedTreeKillsAtItsMemoryLimit) {
  start();
  Limits limits;
  limits.resident_bytes = 1 << 16;
  EXPECT_EQ(WatchedTree(root_, cgroup_, limits).check()->reason, ExitReason::kMemory);
  const std::uint64_t before = sum();
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(sum(), before);
}

TEST_P(TreeTest, SharedPagesAreNotCountedOncePerProcess) {
  const std::size_t bytes = 64 << 20;
  char* block = static_cast<char*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (std::size_t i = 0; i < bytes; i += 4096) block[i] = 1;
  start();  // five processes or more share the block
  Limits limits;
  // Once for all of them, what this process brings along included; each of them counted whole is far more.
  limits.resident_bytes = resident_bytes(::getpid()) + bytes;
  EXPECT_FALSE(WatchedTree(root_, cgroup_, limits).check().has_value());
  ::munmap(block, bytes);
}

TEST(Tree, ARootThatNeverJoinsItsCgroupIsFrozenBySignals) {
  const std::string cgroup = make_cgroup("unused");
  if (cgroup.empty()) GTEST_SKIP() << "no writable cgroup v2 on this machine";
  const pid_t root = ::fork();
  if (root == 0) {
    for (;;) ::pause();
  }
  ProcessTree tree(root, cgroup);
  ASSERT_TRUE(tree.freeze().ok());
  EXPECT_STREQ(tree.method(), "SIGSTOP");
  EXPECT_TRUE(is_stopped(root));
  tree.kill();
  EXPECT_EQ(::waitpid(root, nullptr, 0), root);
  remove_cgroup(cgroup);
}

TEST(Tree, AReusedPidIsNotOurRoot) {
  const pid_t root = ::fork();
  if (root == 0) ::_exit(0);
  ProcessTree tree(root, "");
  ::waitpid(root, nullptr, 0);
  EXPECT_TRUE(tree.members().empty());
  EXPECT_TRUE(tree.freeze().ok());
  tree.kill();
}

TEST(Cgroup, LeavesOfDeadSupervisorsAreRemovedWithWhatRunsInThem) {
  if (cgroup2_root().empty()) GTEST_SKIP() << "no writable cgroup v2 on this machine";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    std::string leaf = make_cgroup("left");
    ::mkdir((leaf + "/inner").c_str(), 0755);  // as a killed process of ours in it would have left
    const pid_t worker = ::fork();
    if (worker == 0) {
      write_small_file(leaf + "/cgroup.procs", "0");
      for (;;) ::pause();
    }
    while (read_small_file(leaf + "/cgroup.procs").empty()) ::usleep(1000);
    leaf += "|" + std::to_string(worker);
    (void)!::write(ends[1], leaf.data(), leaf.size());
    ::_exit(0);
  }
  char buffer[4096];
  const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
  ASSERT_GT(got, 0);
  const std::string text(buffer, static_cast<std::size_t>(got));
  const std::string leaf = text.substr(0, text.find('|'));
  const pid_t worker = std::stoi(text.substr(text.find('|') + 1));
  ::waitpid(supervisor, nullptr, 0);
  ASSERT_EQ(::access(leaf.c_str(), F_OK), 0);
  // A process that has made no cgroup yet cleans up with its first one.
  const pid_t next = ::fork();
  if (next == 0) {
    // The counter of this process image may already be in use; a fresh program is the sure way.
    ::execl("/proc/self/exe", "tree_test", "--gtest_also_run_disabled_tests", "--gtest_filter=Cgroup.DISABLED_MakesOne",
            nullptr);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(next, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(::access(leaf.c_str(), F_OK), 0);
  const auto info = process_info(worker);
  EXPECT_TRUE(!info || is_gone(*info));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Cgroup, DISABLED_MakesOne) {  // run by the test above
  const std::string leaf = make_cgroup("one");
  ASSERT_FALSE(leaf.empty());
  remove_cgroup(leaf);
}

}  // namespace
}  // namespace kernel_audit::process
