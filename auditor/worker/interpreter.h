// The embedded CPython: started once per process, as the interpreter that the build chose (KERNEL_AUDIT_PYTHON
// overrides it), so that a venv's packages are found. Never finalised: finalising after torch can crash; processes
// leave with leave_process(). The thread that starts it holds the GIL from then on, except inside a ReleaseGil.
#pragma once

#include <sys/types.h>

#include <string>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::worker {

// The interpreter that is embedded: KERNEL_AUDIT_PYTHON, else the one of the build.
std::string python_executable();

// Starts the interpreter and imports torch, without running a torch operation. Does nothing when it runs already.
Status start_interpreter();

// {"torch","python","python_executable","cuda","cuda_usable","cuda_missing","device","driver","threads"}: the
// version of CUDA that torch was built for, what the driver's files tell of the GPU, and how many threads this
// process has (more than one: forking from it is not safe).
Json describe_interpreter();

// Temporary files, caches and builds of everything that Python code starts go below `folder` from now on.
Status use_private_folder(const std::string& folder);

void set_threads(int threads);  // of torch, within one operation

// Forks with Python's own hooks run on both sides. Returns what fork() returns.
pid_t fork_interpreter();

// Flushes and ends the process without destructors.
[[noreturn]] void leave_process(int code);

// Gives other Python threads the chance to run while this one waits in C++.
class ReleaseGil {
 public:
  ReleaseGil();
  ~ReleaseGil();
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;

 private:
  void* state_;
};

}  // namespace kernel_audit::worker
