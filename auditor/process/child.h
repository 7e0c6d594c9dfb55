// One child process of ours (extract, zygote, compiler probe): started with limits, its output
// captured up to a cap, its whole tree killed reliably (own cgroup where there is one, else through
// a small process of ours that adopts all orphans of the tree), its end a typed `Exit`. When the
// child ends, whatever it left running is killed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/process/channel.h"
#include "auditor/process/fd.h"

namespace kernel_audit::process {

struct Limits {
  std::chrono::milliseconds wall{0};       // 0: none
  std::uint64_t resident_bytes = 0;        // of the whole tree, watched; 0: none
  std::uint64_t file_bytes = 0;            // largest file it may write; 0: none
  int processes = 0;                       // of the tree, watched; 0: none
  std::size_t output_cap_bytes = 1 << 20;  // stdout and stderr each: kept head and tail, the middle dropped and counted
};

enum class ExitReason { kExited, kSignalled, kTimeout, kMemory, kKilled };
const char* to_string(ExitReason reason);

struct Exit {
  ExitReason reason = ExitReason::kExited;
  int code = 0;                           // exit code, kExited
  int signal = 0;                         // kSignalled
  std::uint64_t peak_resident_bytes = 0;  // largest sum over the tree seen; shared pages count once per process
  std::chrono::milliseconds wall{0};
  std::string detail;  // kTimeout, kMemory, kKilled: which limit
  bool ok() const { return reason == ExitReason::kExited && code == 0; }
  std::string describe() const;  // "died by signal 11 (SIGSEGV)", "exit code 3", "over its limit of 60 s"
};

struct SpawnOptions {
  std::vector<std::string> argv;
  std::optional<std::vector<std::string>> environment;  // "NAME=value"; absent: a small frozen default
  std::string working_directory;
  Limits limits;
  // Descriptors to keep open in the child, as (ours, number in the child). All others are closed.
  std::vector<std::pair<int, int>> descriptors;
  std::string standard_input;  // what it reads there, then the end of the file; empty: /dev/null
  // It dies when the thread that spawned it ends. Without this it outlives a killed supervisor.
  bool die_with_parent = true;
  bool use_cgroup = true;  // false: kill by signals only, as on machines without cgroup v2
};

class Child {
 public:
  static Result<Child> spawn(const SpawnOptions& options);
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;
  ~Child();  // kills the tree

  pid_t pid() const;
  const std::string& cgroup_directory() const;  // empty: none
  // Pumps output and limits until the child ended or `timeout` passed (nullopt then).
  std::optional<Exit> wait(std::chrono::milliseconds timeout);
  void kill_tree();
  const std::string& standard_output() const;
  const std::string& standard_error() const;

 private:
  struct State;
  explicit Child(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Spawn, wait to the end, return everything.
struct Completed {
  Exit exit;
  std::string standard_output;
  std::string standard_error;
};
Result<Completed> run(const SpawnOptions& options);

}  // namespace kernel_audit::process
