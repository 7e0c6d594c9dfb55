// Everything twice: with a cgroup where the machine has one, and by signals with the orphan keeper.
#include "auditor/process/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "auditor/process/procfs.h"
#include "auditor/process/tree.h"

namespace kernel_audit::process {
namespace {

using namespace std::chrono_literals;

class ChildTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && cgroup2_root().empty()) GTEST_SKIP() << "no writable cgroup v2 on this machine";
  }
  SpawnOptions shell(const std::string& script) const {
    SpawnOptions options;
    options.argv = {"sh", "-c", script};
    options.use_cgroup = GetParam();
    return options;
  }
  static bool gone(pid_t pid) {
    const auto info = process_info(pid);
    return !info || is_gone(*info);
  }
};
INSTANTIATE_TEST_SUITE_P(Kill, ChildTest, testing::Values(true, false),
                         [](const auto& instance) { return instance.param ? "Cgroup" : "Signals"; });

TEST_P(ChildTest, ReturnsOutputAndExitCode) {
  SpawnOptions options = shell("cat; echo err >&2; exit 3");
  options.standard_input = "hello";
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok()) << completed.error().describe();
  EXPECT_EQ(completed->standard_output, "hello");
  EXPECT_EQ(completed->standard_error, "err\n");
  EXPECT_EQ(completed->exit.reason, ExitReason::kExited);
  EXPECT_EQ(completed->exit.code, 3);
  EXPECT_FALSE(completed->exit.ok());
  EXPECT_EQ(completed->exit.describe(), "exit code 3");
  EXPECT_GT(completed->exit.peak_resident_bytes, 100000U);
}

TEST_P(ChildTest, ReportsSignals) {
  const auto completed = run(shell("kill -SEGV $$"));
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->exit.reason, ExitReason::kSignalled);
  EXPECT_EQ(completed->exit.signal, SIGSEGV);
  EXPECT_EQ(completed->exit.describe(), "died by signal 11 (SIGSEGV)");
}

TEST_P(ChildTest, SaysWhenTheProgramCannotStart) {
  SpawnOptions options = shell("");
  options.argv = {"/no/such/program"};
  const auto completed = run(options);
  ASSERT_FALSE(completed.ok());
  EXPECT_EQ(completed.error().kind, ErrorKind::kTool);
  EXPECT_NE(completed.error().message.find("/no/such/program"), std::string::npos);
  options = shell("true");
  options.working_directory = "/no/such/folder";
  EXPECT_FALSE(run(options).ok());
}

TEST_P(ChildTest, ChildSeesOnlyNamedDescriptorsAndTheGivenEnvironment) {
  const Fd leaked(::open("/dev/null", O_RDONLY));  // not close-on-exec
  const Fd given(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  SpawnOptions options = shell("for f in /proc/self/fd/*; do echo $f $(readlink $f); done; env; pwd");
  options.descriptors = {{given.get(), 5}, {given.get(), 3}};
  options.environment = {{"PATH=/usr/bin:/bin", "ONLY=this"}};
  options.working_directory = "/usr";
  setenv("KA_SECRET", "x", 1);
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  std::vector<std::string> numbers;
  std::istringstream lines(completed->standard_output);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("/proc/self/fd/", 0) != 0) {
      rest += line + "\n";
    } else if (line.find("/dev/zero") != std::string::npos) {
      numbers.push_back(line.substr(14, 1));
    } else {
      EXPECT_LE(std::stoi(line.substr(14)), 2 + 2) << line;  // 0 to 2, and the shell's own handles
      EXPECT_EQ(line.find("/dev/null") != std::string::npos && line[14] > '2', false) << line;
    }
  }
  EXPECT_EQ(numbers, (std::vector<std::string>{"3", "5"}));
  EXPECT_NE(rest.find("ONLY=this"), std::string::npos);
  EXPECT_EQ(rest.find("KA_SECRET"), std::string::npos);
  EXPECT_NE(rest.find("\n/usr\n"), std::string::npos);
}

TEST_P(ChildTest, SwapsDescriptorNumbers) {
  const Fd null(::fcntl(Fd(::open("/dev/null", O_RDONLY)).get(), F_DUPFD_CLOEXEC, 10));
  const Fd zero(::fcntl(Fd(::open("/dev/zero", O_RDONLY)).get(), F_DUPFD_CLOEXEC, 11));
  SpawnOptions options =
      shell("readlink /proc/self/fd/" + std::to_string(null.get()) + " /proc/self/fd/" + std::to_string(zero.get()));
  options.descriptors = {{null.get(), zero.get()}, {zero.get(), null.get()}};
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->standard_output, "/dev/zero\n/dev/null\n");
}

TEST_P(ChildTest, CapsOutputKeepingHeadAndTail) {
  SpawnOptions options = shell("echo first; yes 0123456789 | head -n 300000; echo last; echo small >&2");
  options.limits.output_cap_bytes = 4096;
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->standard_output.rfind("first\n0123", 0), 0U);
  EXPECT_EQ(completed->standard_output.substr(completed->standard_output.size() - 6), "\nlast\n");
  EXPECT_NE(completed->standard_output.find("[3295915 bytes dropped]"), std::string::npos)
      << completed->standard_output.substr(2040, 60);
  EXPECT_LT(completed->standard_output.size(), 4200U);
  EXPECT_EQ(completed->standard_error, "small\n");
}

TEST_P(ChildTest, LimitsWallTime) {
  SpawnOptions options = shell("echo begun; sleep 1000 & sleep 1000");
  options.limits.wall = 300ms;
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->exit.reason, ExitReason::kTimeout);
  EXPECT_EQ(completed->exit.describe(), "over its limit of 0.3 s");
  EXPECT_EQ(completed->standard_output, "begun\n");
  EXPECT_LT(completed->exit.wall, 3000ms);
}

TEST_P(ChildTest, LimitsResidentMemoryOfTheWholeTree) {
  SpawnOptions options =
      shell("for i in 1 2 3; do python3 -c 'x = bytearray(60 << 20)\nimport time\ntime.sleep(100)' & done; wait");
  options.limits.resident_bytes = 120 << 20;  // none of the three alone passes it
  options.limits.wall = 30s;
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->exit.reason, ExitReason::kMemory) << completed->exit.describe() << completed->standard_error;
  EXPECT_GT(completed->exit.peak_resident_bytes, std::uint64_t{120} << 20);
  options.limits.resident_bytes = std::uint64_t{4} << 30;
  options.limits.wall = 2s;
  EXPECT_EQ(run(options)->exit.reason, ExitReason::kTimeout);
}

TEST_P(ChildTest, LimitsProcessesAndFileSize) {
  SpawnOptions options = shell("for i in 1 2 3 4 5 6 7 8; do sleep 100 & done; wait");
  options.limits.processes = 6;
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->exit.reason, ExitReason::kKilled);
  EXPECT_EQ(completed->exit.describe().rfind("over its limit on the number of processes", 0), 0U);
  options = shell("exec dd if=/dev/zero of=$TMPDIR/ka_big_$$ bs=1k count=100; rm -f $TMPDIR/ka_big_$$");
  options.limits.file_bytes = 10000;
  EXPECT_EQ(run(options)->exit.signal, SIGXFSZ);
}

// A daemon in a session of its own, two forks away from us, that ignores every polite signal.
constexpr const char* kDaemon =
    "setsid sh -c '(trap \"\" TERM HUP INT; echo daemon $$ >&2; exec setsid sleep 1000 <&- >&- 2>&-) & "
    "echo $! ' & wait; ";

std::vector<pid_t> sleepers_below(const std::string& output) {
  std::vector<pid_t> pids;
  std::istringstream words(output);
  for (std::string word; words >> word;) pids.push_back(std::stoi(word));
  return pids;
}

TEST_P(ChildTest, KillsDaemonsOnTimeout) {
  SpawnOptions options = shell(std::string(kDaemon) + "sleep 1000");
  options.limits.wall = 500ms;
  const auto completed = run(options);
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->exit.reason, ExitReason::kTimeout);
  const auto pids = sleepers_below(completed->standard_output);
  ASSERT_EQ(pids.size(), 1U) << completed->standard_output;
  EXPECT_TRUE(gone(pids[0]));
}

TEST_P(ChildTest, KillsWhatTheChildLeftBehindAndKeepsItsExit) {
  const auto start = std::chrono::steady_clock::now();
  const auto completed = run(shell(std::string(kDaemon) + "exit 5"));
  ASSERT_TRUE(completed.ok());
  EXPECT_EQ(completed->exit.code, 5);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  const auto pids = sleepers_below(completed->standard_output);
  ASSERT_EQ(pids.size(), 1U);
  EXPECT_TRUE(gone(pids[0]));
}

TEST_P(ChildTest, KillsATreeThatForksAsFastAsItCan) {
  SpawnOptions options = shell("f() { while :; do (setsid sh -c 'sleep 100' &) ; done; }; f & f & wait");
  options.limits.wall = 400ms;
  auto child = Child::spawn(options);
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(child->wait(30s)->reason, ExitReason::kTimeout);
  int left = 0;
  for (const ProcessInfo& info : list_processes()) {
    const std::string command = read_small_file("/proc/" + std::to_string(info.pid) + "/cmdline");
    if (command == std::string("sleep\0"
                               "100\0",
                               10) &&
        !is_gone(info))
      ++left;
  }
  EXPECT_EQ(left, 0);
}

TEST_P(ChildTest, DestructorKillsAndKillTreeIsTyped) {
  pid_t pid = 0;
  {
    auto child = Child::spawn(shell("sleep 1000"));
    ASSERT_TRUE(child.ok());
    pid = child->pid();
    EXPECT_FALSE(child->wait(50ms).has_value());
    EXPECT_FALSE(gone(pid));
    Child moved = std::move(*child);
    EXPECT_EQ(moved.pid(), pid);
  }
  EXPECT_TRUE(gone(pid));
  auto child = Child::spawn(shell("sleep 1000"));
  child->kill_tree();
  EXPECT_EQ(child->wait(0ms)->reason, ExitReason::kKilled);
}

TEST_P(ChildTest, DiesWithTheSupervisor) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    auto child = Child::spawn(shell(std::string(kDaemon) + "echo $$; sleep 1000"));
    while (std::count(child->standard_output().begin(), child->standard_output().end(), '\n') < 2) {
      (void)child->wait(5ms);
    }
    const std::string output = child->standard_output();
    (void)!::write(ends[1], output.data(), output.size());
    ::pause();
    ::_exit(0);
  }
  char buffer[256];
  const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
  ASSERT_GT(got, 0);
  const std::vector<pid_t> pids = sleepers_below(std::string(buffer, static_cast<std::size_t>(got)));
  ASSERT_EQ(pids.size(), 2U);
  for (const pid_t pid : pids) ASSERT_FALSE(gone(pid));
  ::kill(supervisor, SIGKILL);
  ::waitpid(supervisor, nullptr, 0);
  for (int i = 0; i < 500 && !(gone(pids[0]) && gone(pids[1])); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(gone(pids[0]) && gone(pids[1]));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace kernel_audit::process
