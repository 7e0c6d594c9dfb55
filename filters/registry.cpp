// Every filter rule, sorted by code.
#include "auditor/core/embedded_text.h"
#include "filters/rules/rules.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& filter_rule_docs();  // generated
}

namespace kernel_audit::filters {

const std::vector<Rule>& registry() {
  static const std::vector<Rule> rules = {
      output_range_rule(),                 // KA001
      seed_std_rule(),                     // KA002
      axis_uniformity_rule(),              // KA003
      input_influence_rule(),              // KA004
      trivial_answer_accepted_rule(),      // KA005
      dead_computation_rule(),             // KA006
      redundant_operation_rule(),          // KA007
      unused_input_rule(),                 // KA008
      inefficient_baseline_rule(),         // KA009
      non_deterministic_rule(),            // KA010
      tolerance_wider_than_signal_rule(),  // KA011
      too_short_to_measure_rule(),         // KA012
      degenerate_inputs_rule(),            // KA013
      low_mutation_score_rule(),           // KA014
      unsound_numerics_rule(),             // KA015
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
