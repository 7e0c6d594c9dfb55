#include "analysis/rules/rule_docs.h"

#include "analysis/rules/rule.h"

namespace kernel_audit::analysis::rules {

std::string_view documentation(const std::string& slug) {
  for (const EmbeddedText& text : analysis_rule_docs()) {
    if (text.name == slug + "/README.md") return text.text;
  }
  return {};
}

std::string rule_table_markdown(const std::vector<RuleInfo>& rules) {
  std::string table =
      "| code | rule | finds | effect | confidence | catalogue |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const RuleInfo& info : rules) {
    std::string numbers;
    for (const int number : info.catalogue) numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    table += "| " + info.code + " | " + info.slug + " | " + info.summary + " | " + to_string(info.effect) + " | " +
             to_string(info.confidence) + " | " + numbers + " |\n";
  }
  return table;
}

std::string rule_table_markdown() {
  std::vector<RuleInfo> rules;
  for (const Rule& rule : registry()) rules.push_back(rule.info);
  return rule_table_markdown(rules);
}

}  // namespace kernel_audit::analysis::rules
