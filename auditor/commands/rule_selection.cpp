#include "auditor/commands/rule_selection.h"

#include <algorithm>
#include <sstream>

#include "analysis/allow/allow.h"
#include "auditor/commands/rule_catalogue.h"
#include "auditor/core/letter_case.h"

namespace kernel_audit::commands {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// A rule that `pattern` names, one of lint if there is one; nullptr for none.
const RuleInfo* rule_of(const std::string& pattern) {
  const RuleInfo* other = nullptr;
  for (const DocumentedRule& rule : rule_catalogue()) {
    if (!analysis::selected(rule.info.code, rule.info.slug, {pattern})) continue;
    if (rule.info.stage == Stage::kAnalysis) return &rule.info;
    other = &rule.info;
  }
  return other;
}

// The pattern as the catalogue spells it.
Result<std::string> settled(const std::string& written, const char* option) {
  const auto refused = [&](const std::string& message, const std::string& remedy) {
    return Error{ErrorKind::kUsage, message, "", option, remedy};
  };
  if (written.empty()) return refused("it names no rule", "for example " + std::string(option) + " KA2,result-cache");
  for (const std::string& pattern : {in_capitals(written), in_small_letters(written)}) {
    const RuleInfo* rule = rule_of(pattern);
    if (rule == nullptr) continue;
    if (rule->stage == Stage::kAnalysis) return pattern;
    const std::string command = rule->stage == Stage::kEval ? "eval" : "filter";
    return refused("'" + written + "' is of the rules of `" + command + "`, which lint does not check",
                   "name one of stage analysis as kernel-audit rules lists them, or use kernel-audit " + command);
  }
  return refused("'" + written + "' is no code, beginning of a code or slug of a rule", "see kernel-audit rules");
}

Status settle_list(std::vector<std::string>& lists, const char* option) {
  std::vector<std::string> patterns;
  for (const std::string& list : lists) {
    std::istringstream stream(list.empty() ? "," : list);
    for (std::string written; std::getline(stream, written, ',');) {
      Result<std::string> pattern = settled(trimmed(written), option);
      if (!pattern) return pattern.error();
      patterns.push_back(std::move(*pattern));
    }
  }
  lists = std::move(patterns);
  return Ok{};
}

}  // namespace

Status settle_selection(std::vector<std::string>& select, std::vector<std::string>& ignore) {
  if (Status settled = settle_list(select, "--select"); !settled) return settled;
  if (Status settled = settle_list(ignore, "--ignore"); !settled) return settled;
  const std::vector<DocumentedRule>& rules = rule_catalogue();
  const bool any = std::any_of(rules.begin(), rules.end(), [&](const DocumentedRule& rule) {
    const std::string &code = rule.info.code, &slug = rule.info.slug;
    return rule.info.stage == Stage::kAnalysis && (select.empty() || analysis::selected(code, slug, select)) &&
           !analysis::selected(code, slug, ignore);
  });
  if (any) return Ok{};
  return Error{ErrorKind::kUsage, "no rule is left to lint by", "", "--ignore", "ignore fewer rules, or select more"};
}

}  // namespace kernel_audit::commands
