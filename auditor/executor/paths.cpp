#include "auditor/executor/paths.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace kernel_audit::executor {

Result<std::string> sibling_binary(const std::string& name) {
  namespace fs = std::filesystem;
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

}  // namespace kernel_audit::executor
