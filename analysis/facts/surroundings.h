// What a candidate can learn about who runs it: environment and command line, clocks, the call stack, the
// program around it and files. Names are canonical (LOWERING.md). Reading them is no fault in itself; the
// interpreter marks the values, and rules ask what they decide.
#pragma once

#include <string_view>

namespace kernel_audit::analysis::facts {

enum class Surroundings {
  kNothing,
  kSettings,  // environment variables, command line, process ids
  kClock,
  kStack,    // frames of callers
  kProgram,  // the main program's globals, objects found by the garbage collector
  kFile,     // contents of files and other external stores
};

// What calling, or reading, the thing of that name tells.
Surroundings surroundings_of(std::string_view name);

}  // namespace kernel_audit::analysis::facts
