#include "auditor/executor/paths.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace kernel_audit::executor {

namespace fs = std::filesystem;

Result<std::string> sibling_binary(const std::string& name) {
  std::error_code ignored;
  const char* folder = std::getenv("KERNEL_AUDIT_BIN");
  const fs::path here =
      folder != nullptr ? fs::path(folder) : fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path path = here / name;
  if (::access(path.c_str(), X_OK) != 0) {
    return Error{ErrorKind::kTool, name + " is not there or cannot be run", path.string(), "",
                 "build it, or set KERNEL_AUDIT_BIN to the folder that holds it"};
  }
  return path.string();
}

std::optional<std::string> python_path(const std::string& asked) {
  const std::string name = asked.empty() ? "python3" : asked;
  const auto runnable = [](const fs::path& path) -> std::optional<std::string> {
    std::error_code problem;
    const fs::path canonical = fs::canonical(path, problem);
    if (problem || !fs::is_regular_file(canonical, problem) || ::access(canonical.c_str(), X_OK) != 0)
      return std::nullopt;
    return canonical.string();
  };
  if (name.find('/') != std::string::npos) return runnable(name);
  for (const char* folder : {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}) {
    if (auto path = runnable(fs::path(folder) / name)) return path;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::executor
