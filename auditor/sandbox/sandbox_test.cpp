// Each test enters the sandbox in a forked child and tries something there; the child's exit code says
// what came of it. Tests of a layer that the machine lacks are skipped with the layer's own reason.
#include "auditor/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "auditor/process/channel.h"
#include "auditor/process/procfs.h"
#include "auditor/process/tree.h"

namespace kernel_audit::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const SandboxReport& machine() {
  static const SandboxReport report = probe_sandbox();
  return report;
}

LayerState layer(Layer wanted) {
  for (const LayerState& state : machine().layers) {
    if (state.layer == wanted) return state;
  }
  return {wanted, false, "not reported", ""};
}

#define NEEDS(wanted) \
  if (!layer(wanted).active) GTEST_SKIP() << to_string(wanted) << ": " << layer(wanted).detail

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "ka-sandbox-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    base_ = pattern;
    ::chmod(pattern.c_str(), 0755);
    for (const char* name : {"tmp", "given", "other"}) fs::create_directory(base_ / name);
    std::ofstream(base_ / "given/file") << "given";
    std::ofstream(base_ / "other/file") << "other";
    policy_.readable = default_readable("/usr/bin/python3", false);
    policy_.readable.push_back((base_ / "given").string());
    policy_.private_tmp = (base_ / "tmp").string();
    policy_.keep_descriptors = {2};
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(base_, ignored);
  }
  // Wait status of the monitor.
  int status_of(const std::function<int()>& body) {
    const pid_t child = start(body);
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
  pid_t start(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto report = enter_sandbox(policy_);
      if (!report) ::_exit(100);
      ::_exit(body());
    }
    return child;
  }
  // Exit code of `body` in the sandbox.
  int code_of(const std::function<int()>& body) {
    const int status = status_of(body);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  fs::path base_;
  SandboxPolicy policy_;
};

// 0 when the call failed with `code`, 1 when it succeeded, 2 when it failed in another way.
int refused(long result, int code) { return result >= 0 ? 1 : errno == code ? 0 : 2; }

TEST_F(SandboxTest, ProbeReportsEveryLayerOnce) {
  ASSERT_EQ(machine().layers.size(), 11U);
  for (int number = 0; number <= static_cast<int>(Layer::kRlimits); ++number) {
    const LayerState state = layer(static_cast<Layer>(number));
    EXPECT_NE(state.detail, "not reported") << to_string(state.layer);
    if (!state.active) {
      EXPECT_FALSE(state.detail.empty()) << to_string(state.layer);
    }
    std::printf("%-18s %-8s %s\n", to_string(state.layer), state.active ? "active" : "missing", state.detail.c_str());
  }
}

TEST_F(SandboxTest, MirrorsExitCodesAndSignals) {
  EXPECT_EQ(code_of([] { return 7; }), 7);
  EXPECT_EQ(code_of([]() -> int { ::abort(); }), 1000 + SIGABRT);
  EXPECT_EQ(code_of([]() -> int { return ::raise(SIGKILL); }), 1000 + SIGKILL);
  EXPECT_EQ(code_of([] {
              *static_cast<volatile int*>(nullptr) = 1;  // NOLINT(clang-analyzer-core.NullDereference): meant
              return 0;
            }),
            1000 + SIGSEGV);
}

TEST_F(SandboxTest, SigtermReachesTheWorkerAndSigkillTakesAll) {
  auto pair = process::Channel::make_pair();
  policy_.keep_descriptors = {pair->second.fd()};
  for (const int number : {SIGTERM, SIGKILL}) {
    const pid_t monitor = start([&] {
      (void)pair->second.send("up");
      ::pause();
      return 0;
    });
    ASSERT_TRUE(pair->first.receive(10s).ok());
    const auto tree = process::tree_of(monitor, 0);
    ::kill(monitor, number);
    int status = 0;
    ASSERT_EQ(::waitpid(monitor, &status, 0), monitor);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number);
    for (const auto& member : tree) {
      for (int i = 0; i < 500; ++i) {
        const auto info = process::process_info(member.pid);
        if (!info || process::is_gone(*info)) break;
        std::this_thread::sleep_for(10ms);
      }
      const auto info = process::process_info(member.pid);
      EXPECT_TRUE(!info || process::is_gone(*info));
    }
  }
}

TEST_F(SandboxTest, SeesNoOtherProcessesAndCannotSignalThem) {
  NEEDS(Layer::kPidNamespace);
  NEEDS(Layer::kMountNamespace);  // its own /proc
  const pid_t outside = ::getpid();
  EXPECT_EQ(code_of([&] {
              int pids = 0;
              for (const auto& info : process::list_processes()) pids += info.pid > 2 ? 1 : 0;
              if (pids != 0 || ::getpid() != 2) return 1;
              if (process::process_info(2) == std::nullopt) return 2;
              return outside > 2 ? refused(::kill(outside, SIGTERM), ESRCH) : 0;
            }),
            0);
  EXPECT_EQ(code_of([] { return refused(::kill(1, SIGKILL), EPERM); }), 0) << "our init, which is its parent";
  EXPECT_EQ(code_of([] { return ::kill(-1, SIGTERM) == 0 ? 1 : 0; }), 0);
}

TEST_F(SandboxTest, ReadsOnlyWhatIsAllowed) {
  NEEDS(Layer::kLandlock);
  EXPECT_EQ(code_of([&] { return ::open((base_ / "given/file").c_str(), O_RDONLY) >= 0 ? 0 : errno; }), 0);
  EXPECT_EQ(code_of([&] { return refused(::open((base_ / "other/file").c_str(), O_RDONLY), EACCES); }), 0);
  EXPECT_EQ(code_of([&] { return refused(::open((base_ / "other").c_str(), O_RDONLY | O_DIRECTORY), EACCES); }), 0);
  EXPECT_EQ(code_of([] { return ::open("/etc/shadow", O_RDONLY) >= 0 ? 1 : 0; }), 0);
  EXPECT_EQ(code_of([&] { return refused(::open((base_ / "given/../other/file").c_str(), O_RDONLY), EACCES); }), 0);
  EXPECT_EQ(code_of([&] {
              const std::string link = policy_.private_tmp + "/link";
              return ::symlink((base_ / "other/file").c_str(), link.c_str()) != 0
                         ? 3
                         : refused(::open(link.c_str(), O_RDONLY), EACCES);
            }),
            0);
  EXPECT_EQ(code_of([&] {
              const std::string link = policy_.private_tmp + "/hard";
              return ::link((base_ / "other/file").c_str(), link.c_str()) == 0 ? 1 : 0;
            }),
            0);
}

TEST_F(SandboxTest, WritesOnlyInItsPrivateFolder) {
  NEEDS(Layer::kLandlock);
  EXPECT_EQ(code_of([&] {
              const int fd = ::open((policy_.private_tmp + "/new").c_str(), O_CREAT | O_RDWR, 0600);
              if (fd < 0 || ::write(fd, "x", 1) != 1) return 1;
              if (::mkdir((policy_.private_tmp + "/folder").c_str(), 0700) != 0) return 2;
              const char* tmp = ::getenv("TMPDIR");
              if (tmp == nullptr || tmp != policy_.private_tmp) return 3;
              char here[4096];
              return ::getcwd(here, sizeof here) != nullptr && here == policy_.private_tmp ? 0 : 4;
            }),
            0);
  for (const std::string& folder :
       {(base_ / "given").string(), (base_ / "other").string(), base_.string(), std::string("/tmp"),
        std::string("/dev/shm"), std::string("/usr"), std::string("/")}) {
    EXPECT_EQ(code_of([&] {
                return ::open((folder + "/ka_new").c_str(), O_CREAT | O_WRONLY, 0600) >= 0 ||
                               ::mkdir((folder + "/ka_dir").c_str(), 0700) == 0
                           ? 1
                           : 0;
              }),
              0)
        << folder;
  }
  EXPECT_EQ(code_of([&] { return ::truncate((base_ / "given/file").c_str(), 0) == 0 ? 1 : 0; }), 0);
  EXPECT_EQ(code_of([&] { return ::unlink((base_ / "given/file").c_str()) == 0 ? 1 : 0; }), 0);
  EXPECT_EQ(code_of([&] { return ::open("/dev/null", O_WRONLY | O_TRUNC) >= 0 ? 0 : 1; }), 0);
}

TEST_F(SandboxTest, HasNoNetwork) {
  NEEDS(Layer::kSeccomp);
  for (const int family : {AF_INET, AF_INET6, AF_VSOCK, AF_PACKET}) {
    EXPECT_EQ(code_of([family] { return refused(::socket(family, SOCK_STREAM, 0), EACCES); }), 0) << family;
  }
  EXPECT_EQ(code_of([] {
              int ends[2];
              return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ? 0 : 1;
            }),
            0);
}

TEST_F(SandboxTest, NetworkNamespaceIsItsOwn) {
  NEEDS(Layer::kNetworkNamespace);
  struct stat ours{};
  ASSERT_EQ(::stat("/proc/self/ns/net", &ours), 0);
  EXPECT_EQ(code_of([&] {
              struct stat theirs{};
              return ::stat("/proc/self/ns/net", &theirs) == 0 && theirs.st_ino != ours.st_ino ? 0 : 1;
            }),
            0);
}

TEST_F(SandboxTest, DangerousSystemCallsAreDenied) {
  NEEDS(Layer::kSeccomp);
  struct Call {
    const char* name;
    std::function<long()> make;
  };
  char byte = 0;
  iovec part{&byte, 1};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const Call calls[] = {
      {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
      {"process_vm_readv", [&] { return ::process_vm_readv(::getpid(), &part, 1, &part, 1, 0); }},
      {"process_vm_writev", [&] { return ::process_vm_writev(::getpid(), &part, 1, &part, 1, 0); }},
      {"perf_event_open",
       [] {
         perf_event_attr attributes{};
         attributes.size = sizeof attributes;
         return ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
       }},
      {"bpf", [] { return ::syscall(SYS_bpf, 0, nullptr, 0); }},
      {"mount", [&] { return static_cast<long>(::mount("none", "/tmp", "tmpfs", 0, nullptr)); }},
      {"umount2", [] { return static_cast<long>(::umount2("/proc", MNT_DETACH)); }},
      {"unshare", [] { return static_cast<long>(::unshare(CLONE_NEWUSER)); }},
      {"clone into a namespace",
       [] { return ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr); }},
      {"setns", [] { return static_cast<long>(::setns(0, 0)); }},
      {"keyctl", [] { return ::syscall(SYS_keyctl, 0, 0, 0, 0, 0); }},
      {"add_key", [] { return ::syscall(SYS_add_key, "user", "a", "b", 1, -3); }},
      {"clock_settime", [&] { return static_cast<long>(::clock_settime(CLOCK_REALTIME, &now)); }},
      {"userfaultfd", [] { return ::syscall(SYS_userfaultfd, 1); }},
      {"io_uring_setup", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"pidfd_getfd", [] { return ::syscall(SYS_pidfd_getfd, 0, 0, 0); }},
      {"kcmp", [] { return ::syscall(SYS_kcmp, 0, 0, 0, 0, 0); }},
      {"open_by_handle_at", [] { return ::syscall(SYS_open_by_handle_at, 0, nullptr, 0); }},
      {"seccomp", [] { return ::syscall(SYS_seccomp, 0, 0, nullptr); }},
      {"prctl seccomp", [] { return static_cast<long>(::prctl(PR_SET_SECCOMP, 2, nullptr)); }},
      {"reboot", [] { return ::syscall(SYS_reboot, 0, 0, 0, nullptr); }},
#if defined(__x86_64__)
      {"x32 getpid", [] { return ::syscall(0x40000000 + SYS_getpid); }},
#endif
  };
  for (const Call& call : calls) {
    EXPECT_EQ(code_of([&] { return refused(call.make(), EPERM); }), 0) << call.name;
  }
  EXPECT_EQ(code_of([] { return refused(::syscall(SYS_clone3, nullptr, 0), ENOSYS); }), 0);
}

TEST_F(SandboxTest, HasNoPrivileges) {
  EXPECT_EQ(
      code_of([] {
        if (::geteuid() == 0 || ::getegid() == 0 || ::setuid(0) == 0) return 1;
        if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 2;
        for (int capability = 0; capability < 64; ++capability) {
          if (::prctl(PR_CAPBSET_READ, capability) > 0) return 3;
        }
        return process::read_small_file("/proc/self/status").find("CapEff:\t0000000000000000") != std::string::npos ? 0
                                                                                                                    : 4;
      }),
      0);
}

TEST_F(SandboxTest, DescriptorsAreClosed) {
  const process::Fd secret(::open((base_ / "other/file").c_str(), O_RDONLY));
  EXPECT_EQ(code_of([&] {
              if (::fcntl(secret.get(), F_GETFD) != -1) return 1;
              int open = 0;
              for (int fd = 0; fd < 1024; ++fd) open += ::fcntl(fd, F_GETFD) != -1 ? 1 : 0;
              if (open != 3) return 2;
              char target[64] = {};
              return ::readlink("/proc/self/fd/0", target, sizeof target) > 0 && std::string(target) == "/dev/null" ? 0
                                                                                                                    : 3;
            }),
            0);
}

TEST_F(SandboxTest, LimitsFileSizeAndProcesses) {
  policy_.max_file_bytes = 1000;
  EXPECT_EQ(code_of([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const int fd = ::open("big", O_CREAT | O_WRONLY, 0600);
              const std::string text(2000, 'x');
              return ::write(fd, text.data(), text.size()) == 1000 && ::write(fd, "x", 1) < 0 ? 0 : 1;
            }),
            0);
  policy_.max_processes = 10;
  EXPECT_EQ(code_of([] {
              for (int i = 0; i < 20; ++i) {
                const pid_t child = ::fork();
                if (child < 0) return errno == EAGAIN ? 0 : 1;
                if (child == 0) {
                  ::pause();
                  ::_exit(0);
                }
              }
              return 2;
            }),
            0);
}

TEST_F(SandboxTest, ImportsPythonModulesAndCompiles) {
  EXPECT_EQ(code_of([] {
              return WEXITSTATUS(
                  std::system("/usr/bin/python3 -c 'import json, ctypes, subprocess, socket, tempfile;"
                              "open(tempfile.mkstemp()[1], \"w\").write(\"x\")'"));
            }),
            0);
  if (::access("/usr/bin/g++", X_OK) != 0) GTEST_SKIP() << "no g++ on this machine";
  EXPECT_EQ(code_of([] {
              std::ofstream("a.cpp") << "#include <vector>\nint main() { return std::vector<int>(3).size() - 3; }\n";
              return WEXITSTATUS(std::system("/usr/bin/g++ a.cpp -o a && ./a"));
            }),
            0);
}

// As root, a Python below a folder such as /root (mode 700) must stay usable for the unprivileged uid.
TEST_F(SandboxTest, NamedPathsBelowAClosedFolderCanBeReachedAndOthersNot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root loses its own access by dropping its uid";
  NEEDS(Layer::kMountNamespace);
  fs::create_directories(base_ / "closed/deep/given");
  fs::create_directories(base_ / "closed/tmp");
  std::ofstream(base_ / "closed/deep/given/file") << "x";
  std::ofstream(base_ / "closed/deep/secret") << "x";
  std::ofstream(base_ / "closed/single") << "x";
  ::chmod((base_ / "closed").c_str(), 0700);
  policy_.readable.push_back((base_ / "closed/deep/given").string());
  policy_.readable.push_back((base_ / "closed/single").string());
  policy_.private_tmp = (base_ / "closed/tmp").string();
  EXPECT_EQ(code_of([&] {
              if (::open((base_ / "closed/deep/given/file").c_str(), O_RDONLY) < 0) return 1;
              if (::open((base_ / "closed/single").c_str(), O_RDONLY) < 0) return 2;
              if (::open((base_ / "closed/deep/secret").c_str(), O_RDONLY) >= 0) return 3;
              if (::open("new", O_CREAT | O_WRONLY, 0600) < 0) return 4;
              return ::open((base_ / "closed/new").c_str(), O_CREAT | O_WRONLY, 0600) >= 0 ? 5 : 0;
            }),
            0);
  EXPECT_TRUE(fs::exists(base_ / "closed/deep/secret")) << "our own view is as it was";
  EXPECT_TRUE(fs::exists(base_ / "closed/tmp/new"));
}

TEST_F(SandboxTest, WhatItLeavesRunningDiesWithIt) {
  NEEDS(Layer::kPidNamespace);
  auto pair = process::Channel::make_pair();
  policy_.keep_descriptors = {pair->second.fd()};
  const pid_t monitor = start([&] {
    if (::fork() == 0) {
      ::setsid();
      if (::fork() == 0) {
        for (;;) (void)pair->second.send("alive"), ::usleep(1000);
      }
      ::_exit(0);
    }
    ::usleep(50000);
    return 0;
  });
  pair->second.close();
  ::waitpid(monitor, nullptr, 0);
  for (;;) {  // the socket closes when the last holder is dead
    const auto message = pair->first.receive(5s);
    if (message.ok()) continue;
    EXPECT_EQ(message.error().kind, ErrorKind::kExit);
    break;
  }
}

TEST_F(SandboxTest, IsFrozenAndKilledThroughItsCgroup) {
  policy_.cgroup_directory = process::make_cgroup("sandbox-test");
  if (policy_.cgroup_directory.empty()) GTEST_SKIP() << "no writable cgroup v2 on this machine";
  auto pair = process::Channel::make_pair();
  policy_.keep_descriptors = {pair->second.fd()};
  const pid_t monitor = start([&] {
    for (;;) (void)pair->second.send("alive");
    return 0;
  });
  ASSERT_TRUE(pair->first.receive(10s).ok());
  process::ProcessTree tree(monitor, policy_.cgroup_directory);
  ASSERT_TRUE(tree.freeze().ok());
  EXPECT_STREQ(tree.method(), "cgroup.freeze");
  EXPECT_EQ(tree.members().size(), layer(Layer::kPidNamespace).active ? 3U : 2U);
  while (pair->first.receive(0ms).ok()) {
  }
  EXPECT_EQ(pair->first.receive(50ms).error().kind, ErrorKind::kTimeout);
  ASSERT_TRUE(tree.thaw().ok());
  EXPECT_TRUE(pair->first.receive(5s).ok());
  tree.kill();
  ::waitpid(monitor, nullptr, 0);
  process::remove_cgroup(policy_.cgroup_directory);
  EXPECT_FALSE(fs::exists(policy_.cgroup_directory));
}

TEST_F(SandboxTest, ARequiredLayerThatIsMissingIsAnError) {
  policy_.require = {Layer::kCgroup};  // none was given
  EXPECT_EQ(code_of([] { return 0; }), 100);
  policy_.require = {Layer::kNoNewPrivileges, Layer::kDescriptors};
  EXPECT_EQ(code_of([] { return 0; }), 0);
}

TEST_F(SandboxTest, JsonRoundTrip) {
  policy_.require = {Layer::kLandlock};
  policy_.gpu = true;
  const auto back = read_json<SandboxPolicy>(Json(policy_), "t");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(Json(*back), Json(policy_));
  const auto report = read_json<SandboxReport>(Json(machine()), "t");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(Json(*report), Json(machine()));
  Json bad = policy_;
  bad["require"] = {"armour"};
  EXPECT_FALSE(read_json<SandboxPolicy>(bad, "t").ok());
}

TEST_F(SandboxTest, DefaultReadableHoldsTheInterpretersOwnTreeAndNothingTooWide) {
  const fs::path venv = base_ / "venv", original = base_ / "python-3.11";
  fs::create_directories(venv / "bin");
  fs::create_directories(original / "bin");
  std::ofstream(original / "bin/python3") << "";
  fs::create_symlink(original / "bin/python3", venv / "bin/python");
  const auto paths = default_readable((venv / "bin/python").string(), false);
  const auto has = [&](const std::string& path) { return std::count(paths.begin(), paths.end(), path) == 1; };
  EXPECT_TRUE(has(venv.string()));
  EXPECT_TRUE(has(original.string()));
  EXPECT_TRUE(has("/usr"));
  for (const char* wide : {"/", "/root", "/home", "/tmp", "/etc"}) EXPECT_FALSE(has(wide)) << wide;
  for (const auto& path : default_readable("/bin/python3", false)) EXPECT_NE(path, "/");
}

}  // namespace
}  // namespace kernel_audit::sandbox
