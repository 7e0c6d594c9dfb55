// Flags that the build of an extension is given, taken apart: the compiler's spellings of one option are one name.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::rules {

struct BuildFlag {
  std::string name;   // without dashes: "use_fast_math", "arch", "gencode"
  std::string value;  // after '=' or in the next word, for options that take one
};

std::vector<BuildFlag> flags_of(const facts::Unit& unit);

}  // namespace kernel_audit::analysis::rules
