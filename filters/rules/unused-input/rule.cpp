// KA008 unused-input: inputs, parameters, submodules and results that by data flow no output depends on.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA008",
                        "unused-input",
                        "An input, parameter, submodule or result is never used",
                        Severity::kWarning,
                        Confidence::kHigh,
                        Stage::kFilters,
                        Effect::kReview,
                        {63, 66, 73}};

std::string quoted(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) text += (i > 0 ? ", '" : "'") + names[i] + "'";
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

void report(const std::string& what, const std::vector<std::string>& names, bool matters, const Policy& policy,
            std::vector<Finding>& findings) {
  if (names.empty()) return;
  Finding& finding = findings.emplace_back(
      filter_finding(kInfo, policy,
                     "No output depends on the " + what + (names.size() > 1 ? "s " : " ") + quoted(names) +
                         ": by data flow through the calls of forward, nothing of it reaches them."));
  finding.evidence = {measured("unused", static_cast<double>(names.size()), "how many are unused", Hint::kCount)};
  if (!matters) finding.effect = Effect::kNote;
}

// A first result that nobody reads is a computation left over; indices and saved statistics come along for free.
std::vector<std::string> of_first_results(const std::vector<std::string>& results, bool first) {
  std::vector<std::string> list;
  for (const std::string& name : results) {
    if (name.ends_with(" result 0") == first) list.push_back(name);
  }
  return list;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (!evidence.usage) return {};  // not recorded: the rules that rest on the trace's own probe say why
  const UsageEvidence& usage = *evidence.usage;
  if (!usage.missing.empty()) return {could_not_tell(kInfo, usage.missing)};
  std::vector<Finding> findings;
  report("input", usage.unused_inputs, true, policy, findings);
  report("submodule", usage.unused_submodules, true, policy, findings);
  report("parameter", usage.unused_parameters, true, policy, findings);
  report("result", of_first_results(usage.unused_results, true), true, policy, findings);
  report("result", of_first_results(usage.unused_results, false), false, policy, findings);
  report("buffer", usage.unused_buffers, false, policy, findings);
  return findings;
}

}  // namespace

Rule unused_input_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
