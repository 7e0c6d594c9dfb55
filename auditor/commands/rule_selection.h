// --select and --ignore: lists of codes, beginnings of codes and slugs of the rules that lint has.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/result.h"

namespace kernel_audit::commands {

// Turns both into single patterns as the catalogue spells them. An Error: one names no rule, or rules of another stage
// alone, or together they leave no rule.
Status settle_selection(std::vector<std::string>& select, std::vector<std::string>& ignore);

}  // namespace kernel_audit::commands
