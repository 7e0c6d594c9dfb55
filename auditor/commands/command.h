// One subcommand of kernel-audit: name, one-line summary, entry. Entries return the process's exit code
// (ARCHITECTURE: 0, 1, 2, 3, 130) and print machine output to stdout, everything else to stderr.
#pragma once

#include <string>
#include <vector>

namespace kernel_audit::commands {

using Arguments = std::vector<std::string>;

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments& arguments);
};

// In the order in which `kernel-audit --help` lists them.
const std::vector<Command>& registry();

int run_command(const Arguments& arguments);
int filter_command(const Arguments& arguments);
int lint_command(const Arguments& arguments);
int eval_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int rules_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int verify_command(const Arguments& arguments);
int doctor_command(const Arguments& arguments);

}  // namespace kernel_audit::commands
