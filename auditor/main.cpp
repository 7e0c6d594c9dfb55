// kernel-audit: arguments to subcommands. All work is in auditor/commands and below.
#include <iostream>
#include <string>

#include "auditor/commands/command.h"
#include "auditor/core/version.h"
#include "auditor/executor/interrupt.h"

namespace {

void print_help() {
  std::cout << "kernel-audit tells whether a GPU-kernel speedup is real.\n\n"
               "usage: kernel-audit COMMAND [OPTIONS]\n\nCommands:\n";
  for (const kernel_audit::commands::Command& command : kernel_audit::commands::registry()) {
    std::cout << "  " << command.name << std::string(10 - std::string(command.name).size(), ' ') << command.summary
              << "\n";
  }
  std::cout
      << "\nkernel-audit COMMAND --help explains a command, with examples.\n"
         "Exit codes: 0 all is well; 1 a broken, wrong, cheating candidate, a dropped or invalid task, a failed gate;\n"
         "2 usage or tool error; 3 something is inconclusive, not run or wants a review; 130 interrupted.\n";
}

}  // namespace

int main(int argc, char** argv) {
  const kernel_audit::commands::Arguments arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_help();
    return arguments.empty() ? 2 : 0;
  }
  if (arguments[0] == "--version") {
    std::cout << "kernel-audit " << kernel_audit::tool_version() << "\n";
    return 0;
  }
  kernel_audit::executor::install_interrupt_handler();
  for (const kernel_audit::commands::Command& command : kernel_audit::commands::registry()) {
    if (arguments[0] != command.name) continue;
    const int exit_code = command.run({arguments.begin() + 1, arguments.end()});
    if (kernel_audit::executor::interrupted()) kernel_audit::executor::leave(kernel_audit::executor::kInterruptedExit);
    return exit_code;
  }
  std::cerr << "kernel-audit: error: there is no command '" << arguments[0] << "' (see kernel-audit --help)\n";
  return 2;
}
