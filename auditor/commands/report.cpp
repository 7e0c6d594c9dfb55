#include <filesystem>
#include <iostream>

#include "auditor/commands/options.h"
#include "auditor/commands/output.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/report_builder.h"
#include "auditor/journal/journal.h"

namespace kernel_audit::commands {
namespace {

namespace po = boost::program_options;

// A journal, or the output folder that holds it.
std::string journal_path(const std::string& given) {
  return std::filesystem::is_directory(given) ? given + "/journal.jsonl" : given;
}

}  // namespace

int report_command(const Arguments& arguments) {
  std::string path, policy_name, format = "text";
  std::vector<std::string> settings;
  po::options_description all("Options", 110, 60);
  all.add_options()("journal", po::value(&path)->value_name("PATH"), "journal.jsonl or the folder that holds it")(
      "policy", po::value(&policy_name)->value_name("NAME|FILE"), "judge under this policy (default: the run's)")(
      "set", po::value(&settings)->value_name("NAME=VALUE")->composing(),
      "one setting on top of the policy, e.g. vendor_libraries=forbid")(
      "format,f", po::value(&format)->value_name("FORMAT")->default_value(format), format_names().c_str())("help,h",
                                                                                                           "this text");
  const HelpText help{"report JOURNAL [OPTIONS]",
                      "Renders a journal again; nothing is measured. Verdicts are derived anew from the\n"
                      "evidence, so another policy needs no GPU.",
                      "  kernel-audit report out\n  kernel-audit report out/journal.jsonl --format json\n"};
  po::variables_map values;
  const Result<bool> go_on = read_arguments(arguments, all, "journal", 1, help, values);
  if (!go_on) return usage_error(go_on.error());
  if (!*go_on) return 0;
  if (path.empty())
    return usage_error({ErrorKind::kUsage, "no journal was named", "", "JOURNAL", "name the output folder of a run"});
  if (format == "terminal") format = "text";  // its older name
  if (Status known = check_format(format); !known) return usage_error(known.error());
  path = journal_path(path);
  Result<std::vector<journal::Record>> records = journal::read(path);
  if (!records) return usage_error(records.error());
  Environment environment;
  Result<executor::Plan> plan = executor::last_plan(*records, path, environment);
  if (!plan) return usage_error(plan.error());
  // Settings of the run belong to its policy: another policy starts from itself.
  if (policy_name.empty())
    settings.insert(settings.begin(), plan->policy_settings.begin(), plan->policy_settings.end());
  Result<Policy> policy = load_policy(policy_name.empty() ? plan->policy : policy_name, settings);
  if (!policy) return usage_error(policy.error());
  reports::Report report;
  executor::do_or_leave([&] { report = executor::build_report(*plan, environment, *records, *policy); }, "interrupted");
  return finish(report, "", format, executor::interrupted());
}

int verify_command(const Arguments& arguments) {
  if (arguments.size() != 1 || arguments[0] == "--help" || arguments[0] == "-h") {
    const bool help = arguments.size() == 1;
    (help ? std::cout : std::cerr)
        << "usage: kernel-audit verify JOURNAL\n\nChecks the hash chain of a journal: an edited, deleted or reordered "
           "line "
           "with others after it is found.\nThe last line has none after it: keep the digest that is printed to tell "
           "later whether the end was changed.\n"
           "Exit code 0 intact, 1 broken, 2 unreadable.\n\nExample:\n  kernel-audit verify out/journal.jsonl\n";
    return help ? 0 : 2;
  }
  const std::string path = journal_path(arguments[0]);
  const Result<journal::VerifyReport> report = journal::verify(path);
  if (!report) return usage_error(report.error());
  if (!report->intact) {
    std::cout << path << ": broken at line " << report->first_bad_line << ": " << report->problem << "\n";
    return 1;
  }
  std::cout << path << ": intact, " << report->records << " records, digest " << report->digest;
  if (report->dropped_bytes != 0)
    std::cout << ", " << report->dropped_bytes << " bytes of a half-written last line ignored";
  std::cout << "\n";
  return 0;
}

}  // namespace kernel_audit::commands
