// The filter rules, one function each; filters/registry.cpp lists them.
#pragma once

#include "filters/rules/rule.h"

namespace kernel_audit::filters {

Rule output_range_rule();
Rule seed_std_rule();
Rule axis_uniformity_rule();
Rule input_influence_rule();
Rule trivial_answer_accepted_rule();
Rule dead_computation_rule();
Rule redundant_operation_rule();
Rule unused_input_rule();
Rule inefficient_baseline_rule();
Rule non_deterministic_rule();
Rule tolerance_wider_than_signal_rule();
Rule too_short_to_measure_rule();
Rule degenerate_inputs_rule();
Rule low_mutation_score_rule();
Rule unsound_numerics_rule();

}  // namespace kernel_audit::filters
