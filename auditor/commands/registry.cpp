#include "auditor/commands/command.h"

namespace kernel_audit::commands {

const std::vector<Command>& registry() {
  static const std::vector<Command> commands = {
      {"run", "filter the tasks, lint and evaluate the candidates, report verdicts", run_command},
      {"filter", "stage 1: which benchmark tasks are worth having", filter_command},
      {"lint", "stage 2: static analysis of candidates", lint_command},
      {"eval", "stage 3: hardened evaluation of candidates against their tasks", eval_command},
      {"report", "render a journal again, also under another policy", report_command},
      {"rules", "list every rule, guard and filter rule", rules_command},
      {"explain", "print the documentation of one rule", explain_command},
      {"verify", "check a journal's hash chain", verify_command},
      {"doctor", "what this machine can do, what is missing, and how to get it", doctor_command},
  };
  return commands;
}

}  // namespace kernel_audit::commands
