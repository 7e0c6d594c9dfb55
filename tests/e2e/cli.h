// Runs the built kernel-audit as a user does, in a scratch folder of the test's own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/process/child.h"

namespace kernel_audit::e2e {

std::string binary(const std::string& name);
bool built(const std::string& name);
std::string source(const std::string& relative);

// Where the optional corpus lies, empty when it is absent (KERNEL_AUDIT_SHARED, else ../shared).
std::string shared_folder();

class Scratch {
 public:
  Scratch();
  ~Scratch();
  std::string path(const std::string& name) const { return root_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string root_;
};

process::SpawnOptions options_for(const std::vector<std::string>& arguments, std::chrono::seconds limit);
process::Completed run_cli(const std::vector<std::string>& arguments,
                           std::chrono::seconds limit = std::chrono::seconds(120));
std::vector<pid_t> descendants(pid_t root);
std::string read_text(const std::string& path);
Json read_json_file(const std::string& path);

}  // namespace kernel_audit::e2e
