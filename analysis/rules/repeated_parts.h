// Results that repeat what is made of a part of an argument, where nothing looks at the rest of it.
#pragma once

#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct RepeatedPart {
  SourceSpan repeated, taken;
  int argument = 0;
  double read = 0, elements = 0;
};

// With the sizes that get_inputs makes.
std::vector<RepeatedPart> repeated_parts(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
