// One child process of ours (extract, zygote, compiler probe): started with limits, its output
// captured up to a cap, its whole tree killed reliably (own cgroup where there is one, else its
// process group and everything that descends from it), its end a typed `Exit`.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/process/channel.h"
#include "auditor/process/fd.h"

namespace kernel_audit::process {

struct Limits {
  std::chrono::milliseconds wall{0};        // 0: none
  std::uint64_t resident_bytes = 0;         // of the whole tree, watched; 0: none
  std::uint64_t file_bytes = 0;             // largest file it may write; 0: none
  int processes = 0;                        // of the tree; 0: none
  std::size_t output_cap_bytes = 1 << 20;   // stdout and stderr each: kept head and tail, the middle dropped and counted
};

enum class ExitReason { kExited, kSignalled, kTimeout, kMemory, kKilled };
const char* to_string(ExitReason reason);

struct Exit {
  ExitReason reason = ExitReason::kExited;
  int code = 0;    // exit code, kExited
  int signal = 0;  // kSignalled
  std::uint64_t peak_resident_bytes = 0;
  std::chrono::milliseconds wall{0};
  std::string describe() const;  // "died by signal 11 (SIGSEGV)", "exit code 3", "over its limit of 60 s"
};

struct SpawnOptions {
  std::vector<std::string> argv;
  std::optional<std::vector<std::string>> environment;  // "NAME=value"; absent: a small frozen default
  std::string working_directory;
  Limits limits;
  // Descriptors to keep open in the child, as (ours, number in the child). All others are closed.
  std::vector<std::pair<int, int>> descriptors;
  std::string standard_input;  // written to stdin, then closed
};

class Child {
 public:
  static Result<Child> spawn(const SpawnOptions& options);
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;
  ~Child();  // kills the tree

  pid_t pid() const;
  // Pumps output and limits until the child ended or `timeout` passed (nullopt then).
  std::optional<Exit> wait(std::chrono::milliseconds timeout);
  void kill_tree();
  const std::string& standard_output() const;
  const std::string& standard_error() const;

 private:
  struct State;
  explicit Child(State* state);
  State* state_ = nullptr;
};

// Spawn, wait to the end, return everything.
struct Completed {
  Exit exit;
  std::string standard_output;
  std::string standard_error;
};
Result<Completed> run(const SpawnOptions& options);

}  // namespace kernel_audit::process
