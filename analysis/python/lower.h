// Lowers the Python of one candidate to Facts. Works in rounds: each round lowers every function from
// scratch while reading what the round before learned about variables, attributes, arguments and
// results; the last round, after nothing changed any more, is kept. Inside a function, values follow
// the flow of control (branches join, loops forget). The names and shapes are those of LOWERING.md.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/python/interpreter.h"
#include "analysis/python/program.h"
#include "analysis/split/locator.h"
#include "analysis/split/unit.h"

namespace kernel_audit::analysis::python {

struct PythonFile {
  std::string file;  // as the user named it
  std::string path;  // relative path, for imports
  std::string text;
};

// Kernel or C++ source found as a value of the Python program.
struct EmbeddedSource {
  Abstract value;    // its text or texts
  std::string what;  // argument or function it was given to: "cuda_sources", "RawKernel"
  facts::UnitLanguage language = facts::UnitLanguage::kCuda;
  std::string extension;  // "ext:<name>"
  std::vector<std::string> bound_functions;
  std::vector<std::string> build_flags;
  bool flags_known = true;
  bool bare_kernel_source = false;
  bool optional = false;  // nothing there is no problem (an empty cpp_sources)
  Id unit = kNone;        // Python unit that embeds it
  SourceSpan span;
};

struct LowerResult {
  facts::Facts facts;                   // Python part only
  std::vector<EmbeddedSource> sources;  // to be split into units and lowered
};

struct LowerLimits {
  std::size_t statements = 400000;
  int rounds = 12;
};

// `files`: the Python files, the main one first; `others`: files that Python code may open or build.
LowerResult lower_python(const std::vector<PythonFile>& files, const std::vector<split::VirtualFile>& others,
                         Interpreter& interpreter, const split::Locator& locator, const LowerLimits& limits = {});

}  // namespace kernel_audit::analysis::python
