#include "analysis/rules/few_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 40;
constexpr std::size_t kMost = 32;
constexpr int kMostLowBits = 3;

using Numbers = FewNumbers::Numbers;

void add(Numbers& numbers, double number) {
  const bool known = std::any_of(numbers.begin(), numbers.end(), [&](double each) {
    return each == number || (std::isnan(each) && std::isnan(number));
  });
  if (!known) numbers.push_back(number);
}

std::uint32_t bits_of(double number) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(number)); }

bool whole(double number) { return std::abs(number) < 0x1p53 && number == std::floor(number); }

std::optional<double> of_bits(const std::string& op, double a, double b) {
  if (!whole(a) || !whole(b)) return std::nullopt;
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
  if (op == "and_" || op == "iand") return static_cast<double>(x & y);
  if (op == "or_" || op == "ior") return static_cast<double>(x | y);
  if (op == "xor" || op == "ixor") return static_cast<double>(x ^ y);
  if (y < 0 || y > 31) return std::nullopt;
  if (op == "lshift") return static_cast<double>(x * (std::int64_t{1} << y));
  if (op == "rshift") return static_cast<double>(x >> y);
  return std::nullopt;
}

std::optional<double> binary(const std::string& op, double a, double b) {
  if (one_of(op, {"add", "iadd"})) return a + b;
  if (one_of(op, {"sub", "isub"})) return a - b;
  if (one_of(op, {"mul", "imul"})) return a * b;
  if (op == "truediv") return a / b;
  if (one_of(op, {"eq", "ne", "lt", "le", "gt", "ge"})) {
    const bool holds = op == "eq"   ? a == b
                       : op == "ne" ? a != b
                       : op == "lt" ? a < b
                       : op == "le" ? a <= b
                       : op == "gt" ? a > b
                                    : a >= b;
    return holds ? 1 : 0;
  }
  if (op == "floordiv" && b != 0) return std::trunc(a / b);
  if (op == "mod" && b != 0) return std::fmod(a, b);
  return of_bits(op, a, b);
}

std::optional<double> unary(const std::string& op, double a) {
  if (op == "neg") return -a;
  if (op == "invert") return whole(a) ? std::optional(-a - 1) : std::nullopt;
  if (op == "not_") return a == 0 ? 1 : 0;
  if (one_of(op, {"__int_as_float", "__uint_as_float"})) return std::bit_cast<float>(bits_of(a));
  if (one_of(op, {"__popc", "popc"})) return std::popcount(bits_of(a));
  if (one_of(op, {"__clz", "clz"})) return std::countl_zero(bits_of(a));
  if (op == "__ffs") return bits_of(a) == 0 ? 0 : std::countr_zero(bits_of(a)) + 1;
  if (one_of(op, {"sqrt", "sqrtf", "rsqrt", "rsqrtf"})) return op.front() == 'r' ? 1 / std::sqrt(a) : std::sqrt(a);
  if (one_of(op, {"log", "logf", "__logf"})) return std::log(a);
  if (one_of(op, {"log2", "log2f", "__log2f"})) return std::log2(a);
  if (one_of(op, {"acos", "acosf"})) return std::acos(a);
  return std::nullopt;
}

// As the type holds it that a result has.
double as_held(const facts::Type& type, double number) {
  if (type.kind != facts::TypeKind::kInt || type.name.find("long") != std::string::npos || !whole(number))
    return number;
  const std::uint32_t bits = bits_of(number);
  if (type.name.find("unsigned") != std::string::npos || type.name.starts_with("uint")) return bits;
  return type.name.empty() ? number : static_cast<double>(static_cast<std::int32_t>(bits));
}

}  // namespace

std::optional<Numbers> FewNumbers::of_any(const std::vector<KernelValue>& from, int depth) {
  Numbers all;
  for (const KernelValue& each : from) {
    const auto numbers = of(each, depth + 1);
    if (!numbers) return std::nullopt;
    for (const double number : *numbers) add(all, number);
  }
  return all.empty() || all.size() > kMost ? std::nullopt : std::optional(all);
}

std::optional<Numbers> FewNumbers::of(KernelValue at, int depth) {
  if (at.value == kNone || depth > kDeepest) return std::nullopt;
  const facts::Value& value = model_.value(at.value);
  if (value.constant) {
    if (value.constant->is_boolean()) return Numbers{value.constant->get<bool>() ? 1.0 : 0.0};
    return value.constant->is_number() ? std::optional(Numbers{value.constant->get<double>()}) : std::nullopt;
  }
  if (one_of(last_part(value.symbol), {"inf", "INFINITY", "CUDART_INF_F"}))
    return Numbers{std::numeric_limits<double>::infinity()};
  const Statement* s = values_.made(at);
  if (s == nullptr) return of_any(values_.passed_on(at), depth);
  if (s->kind == StatementKind::kLoad) return of_load(*s, at, depth);
  std::vector<KernelValue> parts;
  for (const Id arg : s->args) parts.push_back({arg, at.frame});
  if (s->kind == StatementKind::kPhi) return of_any(parts, depth);
  if (s->kind != StatementKind::kCall) return std::nullopt;
  if (s->target != kNone) return of_any(values_.passed_on(at), depth);
  return of_call(*s, at, depth);
}

std::optional<Numbers> FewNumbers::of_load(const Statement& load, KernelValue at, int depth) {
  if (values_.reads_memory(load, at.frame)) {  // *(float*)&bits
    const Statement* address = values_.made({load.location.base, at.frame});
    if (address == nullptr || address->callee != "operator.addressof" || load.location.key != kNone ||
        model_.value(load.result).type.kind != facts::TypeKind::kFloat ||
        model_.value(address->args[0]).type.kind != facts::TypeKind::kInt)
      return std::nullopt;
    const auto held = of_any(values_.passed_on({address->args[0], at.frame}), depth);
    if (!held) return std::nullopt;
    Numbers numbers;
    for (const double bits : *held) add(numbers, std::bit_cast<float>(bits_of(bits)));
    return numbers;
  }
  if (load.location.element || load.location.base != kNone) return std::nullopt;
  if (changed(values_.function(at.frame), load.location.storage)) return std::nullopt;
  return of_any(values_.passed_on(at), depth);
}

// Whether a variable is set otherwise than as a whole by stores of its function.
bool FewNumbers::changed(const facts::Function& function, Id variable) {
  auto& known = functions_[&function];
  if (known == nullptr) known = std::make_unique<Variables>(model_, function);
  const auto& stores = known->view.flow.stores_to(variable);
  const bool parameter = std::any_of(function.parameters.begin(), function.parameters.end(),
                                     [&](const facts::Parameter& each) { return each.storage == variable; });
  return (known->plain.changed(variable) && (!parameter || !stores.empty())) ||
         std::any_of(stores.begin(), stores.end(),
                     [](const Statement* store) { return store->augmented || store->location.element; });
}

// x & 3, x % 4
std::optional<Numbers> FewNumbers::of_low_bits(const Statement& call, KernelValue at, int depth) {
  const bool rest = call.callee == "operator.mod";
  if (call.args.size() != 2 || (!rest && call.callee != "operator.and_")) return std::nullopt;
  for (const std::size_t known : {1U, 0U}) {
    const auto mask = of({call.args[known], at.frame}, depth + 1);
    if (!mask || mask->size() != 1 || !whole(mask->front()) || mask->front() < 0 || (rest && known == 0)) continue;
    const std::uint32_t bits = bits_of(mask->front());
    Numbers numbers;
    if (rest && bits <= 1U << kMostLowBits) {
      for (std::uint32_t i = 0; i < bits; ++i) numbers.push_back(i);
    } else if (!rest && std::popcount(bits) <= kMostLowBits) {
      for (std::uint32_t part = bits;; part = (part - 1) & bits) {
        numbers.push_back(part);
        if (part == 0) break;
      }
    }
    if (!numbers.empty()) return numbers;
  }
  return std::nullopt;
}

std::optional<Numbers> FewNumbers::of_call(const Statement& s, KernelValue at, int depth) {
  const std::string op = last_part(s.callee);
  if (one_of(op, {"__builtin_inff", "__builtin_inf", "infinity"}))
    return Numbers{std::numeric_limits<double>::infinity()};
  if (s.callee == "builtins.float" && text_of(model_, s.args[0]) == "inf")
    return Numbers{std::numeric_limits<double>::infinity()};
  if (s.callee == "triton.language.full") return of({s.args[1], at.frame}, depth + 1);
  std::vector<Numbers> operands;
  for (const Id arg : s.args) {
    auto numbers = of({arg, at.frame}, depth + 1);
    if (!numbers) return of_low_bits(s, at, depth);
    operands.push_back(std::move(*numbers));
  }
  const facts::Type& type = model_.value(s.result).type;
  Numbers results;
  const auto take = [&](std::optional<double> number) {
    if (number) add(results, as_held(type, *number));
    return number.has_value();
  };
  if (one_of(op, {"cast", "float", "int"}) && operands.size() == 1) {
    for (const double a : operands[0]) take(a);
    return results;
  }
  for (const double a : operands.empty() ? Numbers{} : operands[0]) {
    if (operands.size() == 1 && !take(unary(op, a))) return std::nullopt;
    for (const double b : operands.size() == 2 ? operands[1] : Numbers{}) {
      if (!take(binary(op, a, b))) return std::nullopt;
    }
  }
  return results.empty() || results.size() > kMost ? std::nullopt : std::optional(results);
}

bool FewNumbers::may_be_nan(KernelValue value) {
  const auto numbers = of(value);
  return numbers && std::any_of(numbers->begin(), numbers->end(), [](double each) { return std::isnan(each); });
}

}  // namespace kernel_audit::analysis::rules
