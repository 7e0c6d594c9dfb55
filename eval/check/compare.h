// Comparing one output with what it should be, on raw host memory, element by element and in one pass:
// the allclose form |a − b| ≤ atol + rtol·|b| with NaN refused unless both have it, the largest errors, and
// how many elements still hold the poison. No torch; the referee uses it on its private copies only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "auditor/core/result.h"

namespace kernel_audit::eval {

enum class Scalar { kFloat32, kFloat64, kFloat16, kBFloat16, kInt8, kUint8, kBool, kInt16, kInt32, kInt64 };
// torch's name without "torch."; complex types are read as pairs of their parts.
std::optional<Scalar> scalar_from_dtype(const std::string& dtype);
std::size_t bytes_of(Scalar scalar);
bool is_floating(Scalar scalar);

struct Tolerance {
  double atol = 0, rtol = 0;
};
// Of a benchmark ("kernelbench", "kernelbench-v0", "robust-kbench"); integers and booleans must be equal. Errors:
// unknown benchmark.
Result<Tolerance> benchmark_tolerance(const std::string& compat, Scalar scalar);

// Pattern that fills output memory before a call: a quiet NaN with random payload for floating types, random
// bits for the others; one element's bits repeated over the word. `random` is secret until the call is over.
std::uint64_t poison_word(Scalar scalar, std::uint64_t random);

struct Comparison {
  std::int64_t elements = 0;
  std::int64_t mismatched = 0;
  std::int64_t nan_count = 0;  // NaN in `actual`
  std::int64_t unwritten = 0;  // mismatched elements that hold the poison
  double max_abs_error = 0;    // infinite when one side alone is NaN or infinite
  double max_rel_error = 0;
  bool accepted() const { return mismatched == 0; }
  // Enough poison to be no accident: one element of a wide type, a good share of a narrow one.
  bool holds_poison(Scalar scalar) const;
};

Comparison compare(const void* actual, const void* expected, std::size_t bytes, Scalar scalar, Tolerance tolerance,
                   std::uint64_t poison);

// Distance from the fp64 answer: root mean square and largest absolute error over `elements`.
struct OracleError {
  double rms = 0, max = 0;
};
OracleError oracle_error(const void* values, const double* exact, std::int64_t elements, Scalar scalar);
// At least as accurate as the reference, up to the scatter of rounding: rms within 10 %, largest within twice.
bool as_accurate(const OracleError& candidate, const OracleError& reference);

}  // namespace kernel_audit::eval
