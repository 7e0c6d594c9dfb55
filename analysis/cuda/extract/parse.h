// Runs Clang's parser over one unit, in memory: names that no stub declares are declared and the unit
// is parsed once more, so an unknown function costs a name, not a function body. Includes Clang.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cuda/extract/extract.h"

namespace clang {
class CompilerInstance;
}

namespace kernel_audit::analysis::cuda {

// Time and size left for a unit. `reason` is empty until a limit was hit; then everything winds down.
class Budget {
 public:
  explicit Budget(const Limits& limits)
      : limits_(limits),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(limits.seconds))) {}
  bool exhausted() const { return !reason_.empty(); }
  const std::string& reason() const { return reason_; }
  const Limits& limits() const { return limits_; }
  void exhaust(const std::string& reason) {
    if (reason_.empty()) reason_ = reason;
  }
  // Looks at the clock; true when the unit must be abandoned.
  bool check_time() {
    if (reason_.empty() && std::chrono::steady_clock::now() > end_) reason_ = "its time limit was reached";
    return exhausted();
  }

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point end_;
  std::string reason_;
};

struct ParseError {
  std::string message;
  std::string path;         // in the virtual file system: kUnitPath for the unit itself
  std::int64_t begin = -1;  // byte offset in that file
  std::int64_t end = -1;
};

struct ParseOutcome {
  std::vector<ParseError> errors;     // in the candidate's own files, warnings excluded
  std::vector<std::string> includes;  // as written in the candidate's files
  std::vector<std::string> missing_includes;
  std::set<std::string> undeclared;         // functions that had to be declared: "at::x", "at::Tensor::x", "x"
  std::set<std::string> undeclared_values;  // variables that nothing declares
  std::set<std::string> options;            // macros that the build's options must define, with what is not known
  bool device_only_code = false;            // a preprocessor condition asks for __CUDA_ARCH__
};

// Whether a name that nothing declares is one of the CUDA libraries: a type, or a number that one of them is told.
bool names_cuda_library(std::string_view name);

std::string unit_path(const split::SourceUnit& unit);
std::string neighbour_path(const split::VirtualFile& file);

// `lower` is called once, with the AST of the last attempt.
Result<ParseOutcome> parse_unit(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                Budget& budget,
                                const std::function<void(clang::CompilerInstance&, const ParseOutcome&)>& lower);

}  // namespace kernel_audit::analysis::cuda
