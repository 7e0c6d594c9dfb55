// All rules of the three stages with their documentation, for `rules` and `explain`, and for the
// generated table in reports. Sorted by code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/finding.h"

namespace kernel_audit::commands {

struct DocumentedRule {
  RuleInfo info;
  std::string_view documentation;
};

const std::vector<DocumentedRule>& rule_catalogue();
const DocumentedRule* find_rule(const std::string& code_or_slug);

std::string rule_table_text();
std::string rule_table_markdown();

// Catalogue number × rule × fixture, as Markdown (analysis/rules/COVERAGE.md); numbers that no rule of the source
// analysis covers say why.
std::string coverage_markdown();

}  // namespace kernel_audit::commands
