#include "auditor/worker/interpreter.h"

#include <ATen/Parallel.h>
#include <pybind11/embed.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "auditor/core/cores.h"
#include "auditor/worker/device.h"

namespace py = pybind11;

namespace kernel_audit::worker {
namespace {

Error python_error(const PyStatus& status) {
  return {ErrorKind::kTool,
          std::string("Python did not start: ") + (status.err_msg != nullptr ? status.err_msg : "unknown error") + ".",
          python_executable(), "", "set KERNEL_AUDIT_PYTHON to the interpreter that the worker was built for"};
}

int count_threads() {
  std::error_code ignored;
  int threads = 0;
  for (std::filesystem::directory_iterator it("/proc/self/task", ignored), end; it != end; it.increment(ignored)) {
    ++threads;
  }
  return threads;
}

// Tools that belong to the interpreter (ninja of a venv) are found first.
void prepend_to_path(const std::string& folder) {
  const char* path = std::getenv("PATH");
  ::setenv("PATH", (folder + ":" + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin")).c_str(), 1);
}

}  // namespace

std::string python_executable() {
  const char* given = std::getenv("KERNEL_AUDIT_PYTHON");
  return given != nullptr && *given != '\0' ? given : KA_PYTHON_EXECUTABLE;
}

Status start_interpreter() {
  if (Py_IsInitialized() != 0) return Ok{};
  const std::string executable = python_executable();
  prepend_to_path(std::filesystem::path(executable).parent_path().string());
  // numpy's OpenBLAS would start threads when it is loaded, and a process with threads cannot be forked safely.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.write_bytecode = 0;
  config.parse_argv = 0;
  config.user_site_directory = 0;
  config.buffered_stdio = 0;  // processes leave without finalising, which would flush
  PyStatus status = PyConfig_SetBytesString(&config, &config.executable, executable.c_str());
  // A venv is recognised by the folder of the program's name; `executable` alone does not decide on all versions.
  if (PyStatus_Exception(status) == 0)
    status = PyConfig_SetBytesString(&config, &config.program_name, executable.c_str());
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0) return python_error(status);
  try {
    py::module_::import("torch");
  } catch (py::error_already_set& e) {
    return Error{ErrorKind::kTool, std::string("torch cannot be imported: ") + e.what(), executable, "",
                 "set KERNEL_AUDIT_PYTHON to an interpreter with torch >= 2.7"};
  }
  return Ok{};
}

Json describe_interpreter() {
  Json hello = Json::object();
  try {
    const py::object torch = py::module_::import("torch");
    hello["torch"] = py::str(torch.attr("__version__")).cast<std::string>();
    hello["python"] = py::module_::import("platform").attr("python_version")().cast<std::string>();
    hello["python_executable"] = py::module_::import("sys").attr("executable").cast<std::string>();
    const py::object cuda = torch.attr("version").attr("cuda");
    hello["cuda"] = cuda.is_none() ? "" : cuda.cast<std::string>();
  } catch (const std::exception& e) {
    hello["error"] = e.what();
  }
  // Before a fork nothing may touch CUDA: this reads the driver's files only.
  const CudaPresence presence = cuda_presence();
  hello["cuda_usable"] = presence.usable;
  hello["cuda_missing"] = presence.missing;
  hello["device"] = presence.name;
  hello["driver"] = presence.driver;
  hello["threads"] = count_threads();
  return hello;
}

Status use_private_folder(const std::string& folder) {
  const std::pair<const char*, const char*> places[] = {{"HOME", ""},
                                                        {"TMPDIR", ""},
                                                        {"TMP", ""},
                                                        {"TEMP", ""},
                                                        {"XDG_CACHE_HOME", "/cache"},
                                                        {"TORCH_EXTENSIONS_DIR", "/torch_extensions"},
                                                        {"TRITON_CACHE_DIR", "/triton"},
                                                        {"TORCHINDUCTOR_CACHE_DIR", "/inductor"},
                                                        {"CUDA_CACHE_PATH", "/cuda"}};
  const std::string jobs = std::to_string(std::min(8, usable_cores()));
  const py::gil_scoped_acquire gil;
  try {
    // Python took its copy of the environment when it started, so both are set: os.environ writes through.
    const py::object environment = py::module_::import("os").attr("environ");
    for (const auto& [name, below] : places) environment[py::str(name)] = py::str(folder + below);
    environment["MAX_JOBS"] = py::str(jobs);  // of ninja: each compiler takes about 1 GiB
    py::module_::import("tempfile").attr("tempdir") = py::none();
  } catch (const std::exception& e) {
    return Error{ErrorKind::kTool, std::string("The environment could not be set: ") + e.what(), folder, "", ""};
  }
  return Ok{};
}

void set_threads(int threads) {
  if (threads > 0) at::set_num_threads(threads);
}

pid_t fork_interpreter() {
  PyOS_BeforeFork();
  const pid_t pid = ::fork();
  if (pid == 0) {
    PyOS_AfterFork_Child();
  } else {
    PyOS_AfterFork_Parent();
  }
  return pid;
}

void leave_process(int code) {
  std::fflush(nullptr);
  ::_Exit(code);
}

ReleaseGil::ReleaseGil() : state_(PyEval_SaveThread()) {}
ReleaseGil::~ReleaseGil() { PyEval_RestoreThread(static_cast<PyThreadState*>(state_)); }

}  // namespace kernel_audit::worker
