// Sources that C++ code gives to NVRTC while it runs: texts of the candidate, which are read as units of their own.
// Which of them a program is made of is for the interpreter to tell.
#pragma once

#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/split/extract.h"
#include "analysis/split/unit.h"

namespace kernel_audit::analysis::split {

// One unit for each text that the source of a call of nvrtcCreateProgram may be, as far as it folds.
std::vector<SourceUnit> nvrtc_sources(const facts::Facts& facts, const std::vector<CandidateFile>& files);

}  // namespace kernel_audit::analysis::split
