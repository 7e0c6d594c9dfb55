// Fresh memory that a return seems to give back, as ways were joined that no run takes one after the other: a launch
// writes it, or raises, or the function around it tells its caller that it did not.
#pragma once

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// Whether every run that returns it there has come by one of the launches that make the same return's other values.
bool surely_written(const facts::Model& model, const facts::Alternative& way);

}  // namespace kernel_audit::analysis::rules
