// The filter rules, one function each; filters/registry.cpp lists them.
#pragma once

#include "filters/rules/rule.h"

namespace kernel_audit::filters {

Rule output_range_rule();
Rule seed_std_rule();
Rule axis_uniformity_rule();
Rule input_influence_rule();
Rule trivial_answer_accepted_rule();

}  // namespace kernel_audit::filters
