#include <iostream>

#include "auditor/commands/options.h"
#include "auditor/commands/rule_catalogue.h"

namespace kernel_audit::commands {

int rules_command(const Arguments& arguments) {
  const bool markdown = arguments.size() == 1 && arguments[0] == "--markdown";
  const bool coverage = arguments.size() == 1 && arguments[0] == "--coverage";
  if (!arguments.empty() && !markdown && !coverage) {
    const bool help = arguments[0] == "--help" || arguments[0] == "-h";
    (help ? std::cout : std::cerr)
        << "usage: kernel-audit rules [--markdown | --coverage]\n\nLists every rule, guard and filter rule with its "
           "code, slug, stage (filters, analysis for lint, eval),\n"
           "default effect and what it finds. --markdown prints a table with severity, confidence and the numbers of "
           "the\n"
           "catalogue of cheats as well; "
           "--coverage prints what covers each number, with the fixtures that show it.\n";
    return help ? 0 : 2;
  }
  std::cout << (coverage ? coverage_markdown() : markdown ? rule_table_markdown() : rule_table_text());
  return 0;
}

int explain_command(const Arguments& arguments) {
  if (arguments.size() != 1 || arguments[0] == "--help" || arguments[0] == "-h") {
    const bool help = arguments.size() == 1;
    (help ? std::cout : std::cerr)
        << "usage: kernel-audit explain CODE|SLUG\n\nPrints what a rule finds, why it matters, an example, what it "
           "leaves alone and misses.\n"
           "\nExamples:\n  kernel-audit explain KA201\n  kernel-audit explain result-cache\n";
    return help ? 0 : 2;
  }
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
