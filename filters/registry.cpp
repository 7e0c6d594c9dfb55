// Every filter rule, sorted by code.
#include "auditor/core/embedded_text.h"
#include "filters/rules/rules.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& filter_rule_docs();  // generated
}

namespace kernel_audit::filters {

const std::vector<Rule>& registry() {
  static const std::vector<Rule> rules = {
      output_range_rule(),             // KA001
      seed_std_rule(),                 // KA002
      axis_uniformity_rule(),          // KA003
      input_influence_rule(),          // KA004
      trivial_answer_accepted_rule(),  // KA005
  };
  return rules;
}

const Rule* find_rule(std::string_view code_or_slug) {
  for (const Rule& rule : registry()) {
    if (rule.info.code == code_or_slug || rule.info.slug == code_or_slug) return &rule;
  }
  return nullptr;
}

std::string_view rule_documentation(std::string_view slug) {
  for (const EmbeddedText& file : filter_rule_docs()) {
    if (file.name == std::string(slug) + "/README.md") return file.text;
  }
  return {};
}

}  // namespace kernel_audit::filters
