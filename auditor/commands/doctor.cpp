#include "auditor/executor/doctor.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "auditor/commands/options.h"

namespace kernel_audit::commands {

int doctor_command(const Arguments& arguments) {
  bool measure = false;
  for (const std::string& argument : arguments) {
    if (argument == "--measure") {
      measure = true;
      continue;
    }
    const bool help = argument == "--help" || argument == "-h";
    (help ? std::cout : std::cerr)
        << "usage: kernel-audit doctor [--measure]\n\nTells what this machine can do, what is missing, and how to get "
           "it. --measure also\n"
           "measures the null worker, the gap probe and proven against spun time.\n"
           "Exit code 0 when every stage can run, else 3.\n\nExample:\n  kernel-audit doctor\n";
    return help ? 0 : 2;
  }
  const std::vector<executor::Check> checks = executor::examine_machine();
  bool all = true;
  for (const executor::Check& check : checks) {
    const char* mark = check.state == executor::CheckState::kOk        ? "ok      "
                       : check.state == executor::CheckState::kLimited ? "limited "
                                                                       : "missing ";
    std::cout << mark << check.name << ": " << check.detail << "\n";
    if (check.state != executor::CheckState::kOk && !check.remedy.empty())
      std::cout << "         remedy: " << check.remedy << "\n";
    all = all && check.state != executor::CheckState::kMissing;
  }
  if (measure) {
    Result<Json> tables = executor::measure_machine();
    if (!tables) return usage_error(tables.error());
    std::cout << tables->dump(2) << "\n";
  }
  return all ? 0 : 3;
}

}  // namespace kernel_audit::commands
