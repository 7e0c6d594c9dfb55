// The rules' documentation, compiled in from their folders, and the table that is generated from the registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/embedded_text.h"
#include "auditor/core/finding.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& analysis_rule_docs();  // names: "<slug>/README.md"
}

namespace kernel_audit::analysis::rules {

// README of the rule with this slug; empty when there is none.
std::string_view documentation(const std::string& slug);

// Markdown table of rules, sorted by code: code, slug, summary, default effect, confidence, catalogue numbers.
std::string rule_table_markdown(const std::vector<RuleInfo>& rules);
// The table of this stage's registry; analysis/rules/README.md holds it and a test compares them.
std::string rule_table_markdown();

}  // namespace kernel_audit::analysis::rules
