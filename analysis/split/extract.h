// From the files of one candidate to its Facts: lowers the Python, splits off the sources that it
// embeds, lowers those with Clang, and links both sides. The one entry that kernel-audit-extract, the
// debugging mode and fixture tests use. Never runs the candidate; every failure is a Problem in the Facts.
//
// Beyond LOWERING.md: a call that resolves to an own method has `receiver` set to what becomes its first
// parameter (for an instance being made: the result itself; for `self.block(x)`: the called value).
// Arguments of the entry's forward without annotation are assumed to be tensors.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/python/interpreter.h"

namespace kernel_audit::analysis::split {

struct CandidateFile {
  std::string file;      // as the user named it
  std::string path;      // real or made-up relative path, for imports and includes between neighbours
  std::string language;  // "python", "cuda", "cpp"; empty: by the path's ending
  std::string text;
};

struct ExtractOptions {
  python::Interpreter* interpreter = nullptr;  // kept by the caller across candidates
  double unit_seconds = 20;                    // for one C++ or CUDA unit
};

// `files`: the entry first.
facts::Facts extract_candidate(const std::vector<CandidateFile>& files, const ExtractOptions& options);

// Readable listing of Facts, one statement a line: for tests and for people.
std::string dump(const facts::Facts& facts);

}  // namespace kernel_audit::analysis::split
