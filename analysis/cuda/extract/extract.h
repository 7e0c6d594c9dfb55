// Lowers one C++ or CUDA unit to Facts with Clang, in this process and without a toolkit: the unit's
// text, its neighbours and our own stub headers live in memory, and nothing on disk is ever opened.
// Host and device functions are seen in one pass of the host compiler's view; code that exists only
// under __CUDA_ARCH__ is reported as not covered. A failure to parse is a Problem in the Facts.
#pragma once

#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/split/unit.h"
#include "auditor/core/result.h"

namespace kernel_audit::analysis::cuda {

struct Limits {
  double seconds = 20;              // per unit, checked while lexing, instantiating and lowering
  std::size_t tokens = 20'000'000;  // after macro expansion
  int includes = 2'000;             // files entered
  int depth = 1'000;                // nesting of expressions and statements that is followed
};

// Appends functions, storages, values, bindings and problems of `unit` to `facts`. Uses the entry
// `unit.facts_unit` of facts.units, or adds one when it is kNone. Spans carry file and byte offsets;
// the caller, who has the files, fills lines and columns. The Status is an error only when the tool
// itself failed.
Status lower_cuda(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours, facts::Facts& facts,
                  const Limits& limits = {});

// Call once after the last unit: connects declarations to definitions in other units of the same
// extension, and follows launch streams through locals, members and callers.
void link_units(facts::Facts& facts);

}  // namespace kernel_audit::analysis::cuda
