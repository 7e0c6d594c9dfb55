// What numbers are for the inputs that get_inputs makes: sizes of tensors, and what is computed of them. Sources that
// such numbers are put into are read with these; nothing else rests on them.
#include <algorithm>
#include <bit>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

using Number = std::optional<std::int64_t>;

Number number_of(const Abstract& value) {
  const Atom* atom = value.single();
  const Json* known = atom != nullptr && atom->kind == AtomKind::kConstant ? &atom->constant : value.usual.get();
  return known != nullptr && known->is_number_integer() ? Number(known->get<std::int64_t>()) : std::nullopt;
}

Usual usual(Json value) { return std::make_shared<const Json>(std::move(value)); }

// The sizes of a tensor, or of its shape.
const Json* sizes_of(const Abstract& value) {
  return value.usual != nullptr && value.usual->is_array() ? value.usual.get() : nullptr;
}

Usual product(const Json& sizes) {
  std::int64_t elements = 1;
  for (const Json& size : sizes) {
    if (__builtin_mul_overflow(elements, size.get<std::int64_t>(), &elements)) return nullptr;
  }
  return usual(elements);
}

Number computed(std::string_view name, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (name == "add") return __builtin_add_overflow(a, b, &result) ? Number() : result;
  if (name == "sub") return __builtin_sub_overflow(a, b, &result) ? Number() : result;
  if (name == "mul") return __builtin_mul_overflow(a, b, &result) ? Number() : result;
  if (name == "max") return std::max(a, b);
  if (name == "min") return std::min(a, b);
  if ((name == "lshift" || name == "rshift") && a >= 0 && b >= 0 && b < 40 && a < (std::int64_t{1} << 22))
    return name == "lshift" ? a << b : a >> b;
  if (a < 0 || b <= 0) return std::nullopt;
  if (name == "floordiv") return a / b;
  if (name == "mod") return a % b;
  if (name == "cdiv") return a / b + (a % b != 0 ? 1 : 0);
  return std::nullopt;
}

bool makes_tensor(std::string_view name) {
  static const std::set<std::string_view> makers = {"torch.randn", "torch.rand", "torch.zeros", "torch.ones",
                                                    "torch.empty"};
  return makers.contains(name);
}

}  // namespace

// Of a call: the sizes of the tensor that it makes, or the number that it computes.
Usual Lowerer::usual_of_call(const std::string& name, const std::vector<const Abstract*>& args) {
  if (args.empty()) return nullptr;
  if (makes_tensor(name)) {
    std::vector<Abstract> listed;
    const auto items = args.size() == 1 ? sequence_of(*args[0]) : std::nullopt;
    if (items) listed = *items;
    for (const Abstract* each : items ? std::vector<const Abstract*>{} : args) listed.push_back(*each);
    Json sizes = Json::array();
    for (const Abstract& each : listed) {
      const Number size = number_of(each);
      if (!size || *size < 0) return nullptr;
      sizes.push_back(*size);
    }
    return usual(std::move(sizes));
  }
  const std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
  const Number first = number_of(*args[0]);
  if (!first) return nullptr;
  if (args.size() == 1 && last == "next_power_of_2" && *first > 0 && *first < (std::int64_t{1} << 40))
    return usual(static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(*first))));
  if (args.size() == 1 && name == "builtins.int") return usual(*first);
  const Number second = args.size() == 2 ? number_of(*args[1]) : std::nullopt;
  const Number result = second ? computed(last, *first, *second) : std::nullopt;
  return result ? usual(*result) : nullptr;
}

Usual Lowerer::usual_of_method(const Abstract& receiver, const std::string& method, const std::vector<Argument>& args) {
  static const std::set<std::string> same = {"contiguous", "float", "half",  "double", "bfloat16",      "to",
                                             "cuda",       "cpu",   "clone", "detach", "requires_grad_"};
  if (const Number number = number_of(receiver); number && method == "bit_length" && *number >= 0)
    return usual(static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(*number))));
  const Json* sizes = sizes_of(receiver);
  if (sizes == nullptr) return nullptr;
  if (same.contains(method)) return receiver.usual;
  if (method == "numel" || method == "nelement") return product(*sizes);
  if (method == "dim") return usual(static_cast<std::int64_t>(sizes->size()));
  if (method != "size") return nullptr;
  return args.empty() ? receiver.usual : usual_element(receiver, args[0].operand.abs);
}

Usual Lowerer::usual_element(const Abstract& shape, const Abstract& key) {
  const Json* sizes = sizes_of(shape);
  const Number index = number_of(key);
  if (sizes == nullptr || !index) return nullptr;
  const std::int64_t at = *index < 0 ? *index + std::ssize(*sizes) : *index;
  return at >= 0 && at < std::ssize(*sizes) ? usual((*sizes)[static_cast<std::size_t>(at)]) : nullptr;
}

// What get_inputs or get_init_inputs lists at a place.
Abstract Lowerer::given_by_task(const char* list, std::size_t place) {
  if (units_.empty() || units_.front()->scope == nullptr) return {};
  const Cell* cell = units_.front()->scope->find(list);
  const Atom* function = cell == nullptr ? nullptr : cell->prev.single();
  if (function == nullptr || function->kind != AtomKind::kFunction) return {};
  const auto given = sequence_of(functions_[static_cast<std::size_t>(function->function)]->returns_prev);
  return given && place < given->size() ? (*given)[place] : Abstract{};
}

// What get_init_inputs gives for a parameter of the constructor of the entry class: a number of which the type is sure.
Abstract Lowerer::number_of_task(const FunctionInfo& info, const std::string& name) {
  if (info.name != "__init__" || info.class_id == kNone || info.parameters.size() < 2 || units_.empty()) return {};
  const Atom* entry = nullptr;
  for (const char* each : {"ModelNew", "Model"}) {
    const Cell* cell = units_.front()->scope == nullptr ? nullptr : units_.front()->scope->find(each);
    if (cell != nullptr && entry == nullptr) entry = cell->prev.single();
  }
  if (entry == nullptr || entry->kind != AtomKind::kClass || entry->class_id != info.class_id) return {};
  const auto at = std::find(info.parameters.begin() + 1, info.parameters.end(), name) - info.parameters.begin() - 1;
  const Number number = number_of(given_by_task("get_init_inputs", static_cast<std::size_t>(at)));
  if (!number) return {};
  Abstract any = typed(TypeKind::kInt);
  any.usual = usual(*number);
  return any;
}

}  // namespace kernel_audit::analysis::python
