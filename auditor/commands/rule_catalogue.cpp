#include "auditor/commands/rule_catalogue.h"

#include <algorithm>
#include <sstream>

#include "analysis/allow/allow.h"
#include "analysis/rules/rule.h"
#include "auditor/core/embedded_text.h"
#include "auditor/core/letter_case.h"
#include "eval/guards/guard.h"
#include "filters/rules/rule.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& analysis_rule_docs();
const std::vector<EmbeddedText>& filter_rule_docs();
const std::vector<EmbeddedText>& allow_rule_docs();
}  // namespace kernel_audit

namespace kernel_audit::commands {
namespace {

std::string_view documentation_of(const std::vector<EmbeddedText>& docs, const std::string& slug) {
  for (const EmbeddedText& doc : docs) {
    if (doc.name == slug + "/README.md") return doc.text;
  }
  return {};
}

template <typename Registry>
void add_all(std::vector<DocumentedRule>& out, const Registry& registry, const std::vector<EmbeddedText>& docs) {
  for (const auto& entry : registry) out.push_back({entry.info, documentation_of(docs, entry.info.slug)});
}

std::string numbers(const std::vector<int>& catalogue) {
  std::string text;
  for (const int number : catalogue) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

const char* stage_name(Stage stage) {
  switch (stage) {
    case Stage::kFilters:
      return "filters";
    case Stage::kAnalysis:
      return "analysis";
    case Stage::kEval:
      break;
  }
  return "eval";
}

}  // namespace

const std::vector<DocumentedRule>& rule_catalogue() {
  static const std::vector<DocumentedRule> catalogue = [] {
    std::vector<DocumentedRule> all;
    add_all(all, filters::registry(), filter_rule_docs());
    add_all(all, analysis::rules::registry(), analysis_rule_docs());
    add_all(all, eval::guards::registry(), eval_guard_docs());
    for (const RuleInfo& info : analysis::allow_rules())
      all.push_back({info, documentation_of(allow_rule_docs(), info.slug)});
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.info.code < b.info.code; });
    return all;
  }();
  return catalogue;
}

const DocumentedRule* find_rule(const std::string& code_or_slug) {
  const std::string code = in_capitals(code_or_slug), slug = in_small_letters(code_or_slug);
  for (const DocumentedRule& rule : rule_catalogue()) {
    if (rule.info.code == code || rule.info.slug == slug) return &rule;
  }
  return nullptr;
}

std::string rule_table_text() {
  std::ostringstream out;
  for (const DocumentedRule& rule : rule_catalogue()) {
    out << rule.info.code << "  " << rule.info.slug
        << std::string(28 - std::min<std::size_t>(27, rule.info.slug.size()), ' ') << stage_name(rule.info.stage)
        << std::string(10 - std::string(stage_name(rule.info.stage)).size(), ' ') << to_string(rule.info.effect)
        << std::string(14 - std::string(to_string(rule.info.effect)).size(), ' ') << rule.info.summary << "\n";
  }
  return out.str();
}

std::string rule_table_markdown() {
  std::ostringstream out;
  out << "| code | rule | stage | effect | severity | confidence | catalogue | finds |\n| --- | --- | --- | --- | --- "
         "| --- | --- | --- |\n";
  for (const DocumentedRule& rule : rule_catalogue()) {
    const RuleInfo& info = rule.info;
    out << "| " << info.code << " | " << info.slug << " | " << stage_name(info.stage) << " | " << to_string(info.effect)
        << " | " << to_string(info.severity) << " | " << to_string(info.confidence) << " | " << numbers(info.catalogue)
        << " | " << info.summary << " |\n";
  }
  return out.str();
}

}  // namespace kernel_audit::commands
