#include <iostream>

#include "auditor/commands/options.h"
#include "auditor/commands/rule_catalogue.h"

namespace kernel_audit::commands {
namespace {

constexpr const char* kRulesHelp =
    "usage: kernel-audit rules [--markdown | --coverage]\n\n"
    "Lists every rule, guard and filter rule with its code, slug, stage (filters, analysis for lint, eval),\n"
    "default effect and what it finds. --markdown prints a table with severity, confidence and the numbers of the\n"
    "catalogue of cheats as well; --coverage prints what covers each number, with the fixtures that show it.\n";
constexpr const char* kExplainHelp =
    "usage: kernel-audit explain CODE|SLUG\n\n"
    "Prints what a rule finds, why it matters, an example, what it leaves alone and misses.\n\n"
    "Examples:\n  kernel-audit explain KA201\n  kernel-audit explain result-cache\n";

bool asks_for_help(const Arguments& arguments) {
  return !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h");
}

}  // namespace

int rules_command(const Arguments& arguments) {
  if (asks_for_help(arguments)) {
    std::cout << kRulesHelp;
    return 0;
  }
  const bool markdown = arguments == Arguments{"--markdown"}, coverage = arguments == Arguments{"--coverage"};
  if (!arguments.empty() && !markdown && !coverage)
    return usage_error(
        {ErrorKind::kUsage, "'" + arguments.back() + "' is not understood", "", "", "see kernel-audit rules --help"});
  std::cout << (coverage ? coverage_markdown() : markdown ? rule_table_markdown() : rule_table_text());
  return 0;
}

int explain_command(const Arguments& arguments) {
  if (asks_for_help(arguments)) {
    std::cout << kExplainHelp;
    return 0;
  }
  if (arguments.size() != 1)
    return usage_error(
        {ErrorKind::kUsage, "this explains one rule at a time", "", "CODE", "see kernel-audit explain --help"});
  const DocumentedRule* rule = find_rule(arguments[0]);
  if (rule == nullptr) {
    return usage_error(
        {ErrorKind::kUsage, "there is no rule '" + arguments[0] + "'", "", "CODE", "see kernel-audit rules"});
  }
  std::cout << rule->documentation;
  if (rule->info.topic != Topic::kNone) {
    std::cout << "\nPolicy topic: " << to_string(rule->info.topic) << "\n";
  }
  return 0;
}

}  // namespace kernel_audit::commands
