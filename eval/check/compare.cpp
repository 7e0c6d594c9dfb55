#include "eval/check/compare.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace kernel_audit::eval {
namespace {

struct Float16 {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

double value_of(Float16 half) {
  const int exponent = (half.bits >> 10) & 0x1f;
  const int fraction = half.bits & 0x3ff;
  const double sign = (half.bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent == 0x1f) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}
double value_of(BFloat16 brain) { return std::bit_cast<float>(static_cast<std::uint32_t>(brain.bits) << 16); }
template <typename T>
double value_of(T number) {
  return static_cast<double>(number);
}

template <typename T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
T load(const void* memory, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(memory) + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return value;
}

// Integers compare exactly as integers: doubles cannot tell large ones apart.
template <typename T>
bool acceptable(T actual, T expected, double a, double b, Tolerance tolerance) {
  if constexpr (std::is_integral_v<T>) {
    (void)a, (void)b, (void)tolerance;
    return actual == expected;
  } else {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::fabs(a - b) <= tolerance.atol + tolerance.rtol * std::fabs(b);
  }
}

template <typename T>
Comparison compare_as(const void* actual, const void* expected, std::size_t bytes, Tolerance tolerance,
                      std::uint64_t poison) {
  constexpr std::uint64_t kMask = sizeof(T) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * (sizeof(T) % 8))) - 1;
  Comparison result;
  result.elements = static_cast<std::int64_t>(bytes / sizeof(T));
  for (std::int64_t i = 0; i < result.elements; ++i) {
    const T left = load<T>(actual, i), right = load<T>(expected, i);
    const double a = value_of(left), b = value_of(right);
    if (std::isnan(a)) ++result.nan_count;
    const bool fine = acceptable(left, right, a, b, tolerance);
    double error = std::fabs(a - b);
    if (fine && !std::isfinite(error)) error = 0;  // equal infinities, NaN on both sides
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    result.max_abs_error = std::max(result.max_abs_error, error);
    if (b != 0) result.max_rel_error = std::max(result.max_rel_error, std::isfinite(b) ? error / std::fabs(b) : error);
    if (fine) continue;
    ++result.mismatched;
    if ((bits_of(left) & kMask) == (poison & kMask)) ++result.unwritten;
  }
  return result;
}

template <typename T>
OracleError oracle_error_as(const void* values, const double* exact, std::int64_t elements) {
  OracleError error;
  double squares = 0;
  for (std::int64_t i = 0; i < elements; ++i) {
    const double value = value_of(load<T>(values, i));
    if (std::isnan(value) && std::isnan(exact[i])) continue;
    if (value == exact[i]) continue;  // infinities too
    double difference = std::fabs(value - exact[i]);
    if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
    squares += difference * difference;
    error.max = std::max(error.max, difference);
  }
  if (elements > 0) error.rms = std::sqrt(squares / static_cast<double>(elements));
  return error;
}

// Calls `visit` with a value of the C++ type that stands for `scalar`.
template <typename Visit>
auto dispatch(Scalar scalar, Visit visit) {
  switch (scalar) {
    case Scalar::kFloat64:
      return visit(double{});
    case Scalar::kFloat16:
      return visit(Float16{});
    case Scalar::kBFloat16:
      return visit(BFloat16{});
    case Scalar::kInt8:
      return visit(std::int8_t{});
    case Scalar::kUint8:
    case Scalar::kBool:
      return visit(std::uint8_t{});
    case Scalar::kInt16:
      return visit(std::int16_t{});
    case Scalar::kInt32:
      return visit(std::int32_t{});
    case Scalar::kInt64:
      return visit(std::int64_t{});
    case Scalar::kFloat32:
      break;
  }
  return visit(float{});
}

constexpr std::array<std::pair<const char*, Scalar>, 12> kDtypes = {{{"float32", Scalar::kFloat32},
                                                                     {"float64", Scalar::kFloat64},
                                                                     {"float16", Scalar::kFloat16},
                                                                     {"bfloat16", Scalar::kBFloat16},
                                                                     {"int8", Scalar::kInt8},
                                                                     {"uint8", Scalar::kUint8},
                                                                     {"bool", Scalar::kBool},
                                                                     {"int16", Scalar::kInt16},
                                                                     {"int32", Scalar::kInt32},
                                                                     {"int64", Scalar::kInt64},
                                                                     {"complex64", Scalar::kFloat32},
                                                                     {"complex128", Scalar::kFloat64}}};

std::uint64_t repeat(std::uint64_t element, std::size_t bytes) {
  std::uint64_t word = 0;
  for (std::size_t shift = 0; shift < 8; shift += bytes) word |= element << (8 * shift);
  return word;
}

}  // namespace

std::optional<Scalar> scalar_from_dtype(const std::string& dtype) {
  for (const auto& [name, scalar] : kDtypes) {
    if (dtype == name) return scalar;
  }
  return std::nullopt;
}

std::size_t bytes_of(Scalar scalar) {
  return dispatch(scalar, [](auto value) { return sizeof(value); });
}

bool is_floating(Scalar scalar) {
  return scalar == Scalar::kFloat32 || scalar == Scalar::kFloat64 || scalar == Scalar::kFloat16 ||
         scalar == Scalar::kBFloat16;
}

Result<Tolerance> benchmark_tolerance(const std::string& compat, Scalar scalar) {
  if (compat != "kernelbench" && compat != "kernelbench-v0" && compat != "robust-kbench") {
    return Error{ErrorKind::kUsage, "The benchmark \"" + compat + "\" has no known tolerance.", "", "compat",
                 "use kernelbench, kernelbench-v0 or robust-kbench"};
  }
  if (!is_floating(scalar)) return Tolerance{0, 0};
  if (compat == "robust-kbench") return Tolerance{1e-5, 1e-5};
  const bool narrow = scalar == Scalar::kFloat16 || scalar == Scalar::kBFloat16;
  if (compat == "kernelbench-v0" || narrow) return Tolerance{1e-2, 1e-2};
  return Tolerance{1e-4, 1e-4};
}

std::uint64_t poison_word(Scalar scalar, std::uint64_t random) {
  const std::uint64_t low = random | 1;  // a payload of zero is what arithmetic itself makes
  switch (scalar) {
    case Scalar::kFloat64:
      return 0x7ff8000000000000ULL | (low & 0x8007ffffffffffffULL);
    case Scalar::kFloat32:
      return repeat(0x7fc00000ULL | (low & 0x803fffffULL), 4);
    case Scalar::kFloat16:
      return repeat(0x7e00ULL | (low & 0x81ffULL), 2);
    case Scalar::kBFloat16:
      return repeat(0x7fc0ULL | (low & 0x803fULL), 2);
    case Scalar::kBool:
      return repeat(0xa4ULL | (low & 0x5bULL), 1);  // no valid boolean
    case Scalar::kInt8:
    case Scalar::kUint8:
      return repeat(low & 0xffULL, 1);
    case Scalar::kInt16:
      return repeat(low & 0xffffULL, 2);
    case Scalar::kInt32:
      return repeat(low & 0xffffffffULL, 4);
    case Scalar::kInt64:
      break;
  }
  return low;
}

bool Comparison::holds_poison(Scalar scalar) const {
  if (bytes_of(scalar) >= 4) return unwritten > 0;
  return unwritten > 0 && unwritten * 2 >= mismatched && (unwritten >= 16 || unwritten == elements);
}

Comparison compare(const void* actual, const void* expected, std::size_t bytes, Scalar scalar, Tolerance tolerance,
                   std::uint64_t poison) {
  return dispatch(scalar,
                  [&](auto value) { return compare_as<decltype(value)>(actual, expected, bytes, tolerance, poison); });
}

OracleError oracle_error(const void* values, const double* exact, std::int64_t elements, Scalar scalar) {
  return dispatch(scalar, [&](auto value) { return oracle_error_as<decltype(value)>(values, exact, elements); });
}

bool as_accurate(const OracleError& candidate, const OracleError& reference) {
  return std::isfinite(candidate.max) && candidate.rms <= reference.rms * 1.1 && candidate.max <= reference.max * 2;
}

}  // namespace kernel_audit::eval
