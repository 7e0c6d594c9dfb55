// What a rehearsal knows of sizes and of the numbers that are computed from them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/facts/interpreter_rehearsal.h"
#include "analysis/facts/names.h"

namespace kernel_audit::analysis::facts {
namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::optional<double> number_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::optional<Json> compared(const std::string& op, double a, double b) {
  if (op == "lt") return Json(a < b);
  if (op == "le") return Json(a <= b);
  if (op == "gt") return Json(a > b);
  if (op == "ge") return Json(a >= b);
  if (op == "eq") return Json(a == b);
  if (op == "ne") return Json(a != b);
  return std::nullopt;
}

// Of whole numbers as Python has it; C++ gives the same of those that are not negative.
std::optional<Json> computed(const std::string& op, std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 31;
  const bool small = std::abs(a) < kLarge && std::abs(b) < kLarge;
  if (op == "add" || op == "iadd") return Json(a + b);
  if (op == "sub" || op == "isub") return Json(a - b);
  if ((op == "mul" || op == "imul") && (small || a == 0 || std::abs(b) <= (std::int64_t{1} << 62) / std::abs(a)))
    return Json(a * b);
  if (op == "min") return Json(std::min(a, b));
  if (op == "max") return Json(std::max(a, b));
  if (a < 0 || b < 0) return std::nullopt;
  if (op == "and_") return Json(a & b);
  if (op == "or_") return Json(a | b);
  if (op == "xor") return Json(a ^ b);
  if (b < 31 && a < kLarge && (op == "lshift" || op == "ilshift")) return Json(a << b);
  if (b < 62 && (op == "rshift" || op == "irshift")) return Json(a >> b);
  if (b == 0) return std::nullopt;
  if (op == "floordiv" || op == "ifloordiv") return Json(a / b);
  if (op == "mod" || op == "imod") return Json(a % b);
  if (op == "cdiv" || op == "ceil_div") return Json((a + b - 1) / b);
  return std::nullopt;
}

}  // namespace

const Interpreter::Rehearsal::Shape* Interpreter::Rehearsal::shape_of(const Abstract& tensor) const {
  return tensor.shape < 0 || tensor.partial ? nullptr : &shapes_[static_cast<std::size_t>(tensor.shape)];
}

int Interpreter::Rehearsal::interned(const Shape& shape) {
  const auto [it, fresh] = index_.try_emplace(shape, static_cast<int>(shapes_.size()));
  if (fresh) shapes_.push_back(shape);
  return it->second;
}

void Interpreter::Rehearsal::hand_over(Interpreter& run, Abstract& argument, std::size_t position) {
  if (position < call.shapes.size() && call.shapes[position] && run.has_kind(argument, ObjectKind::kTensor))
    argument.shape = interned(*call.shapes[position]);
  if (position >= call.numbers.size() || !call.numbers[position] || !argument.objects.empty()) return;
  argument.constants = {run.constant_id(*call.numbers[position])};
  argument.open = false;
}

// What the constructor is handed; `otherwise` is what stands for it when it is left out.
void Interpreter::Rehearsal::configure(Interpreter& run, Abstract& argument, std::size_t position, Id otherwise,
                                       const CallSite& site) const {
  if (position >= call.settings.size() && call.all_settings && otherwise != kNone) {
    NodeSet nodes = std::move(argument.nodes);
    argument = run.value_from_facts(otherwise, site);
    if (argument.nothing()) argument.open = true;
    merge_into(argument.nodes, nodes);
  }
  if (position >= call.settings.size() || !call.settings[position]) return;
  argument.constants = {run.constant_id(*call.settings[position])};
  argument.open = false;
}

void Interpreter::Rehearsal::forget_number(const Provenance& graph, Abstract& kept) {
  const bool computed = std::any_of(kept.nodes.begin(), kept.nodes.end(),
                                    [&](NodeId id) { return graph.at(id).kind == NodeKind::kState; });
  if (!computed || kept.constants.empty()) return;
  kept.constants.clear();
  kept.open = true;
}

// The tuple of the sizes of a tensor, which are of what says so.
Abstract Interpreter::Rehearsal::sizes(Interpreter& run, const Shape& shape, const NodeSet& nodes,
                                       const CallSite& site) {
  std::vector<Abstract> items;
  for (const std::int64_t size : shape) {
    items.push_back(run.constant(Json(size)));
    items.back().nodes = nodes;
  }
  Abstract tuple = run.packed(items, site, 7'500'000);
  for (std::size_t i = 0; i < items.size(); ++i)
    run.write_field(tuple.objects.front(), run.key_of("#-" + std::to_string(i + 1)), items[items.size() - 1 - i], true);
  merge_into(sizes_, tuple.objects);
  tuple.nodes = nodes;
  return tuple;
}

// Whether what is loaded may be another number than the stores that were seen say: one changed by a reference or a
// pointer, or an attribute that other objects of the class have otherwise.
bool Interpreter::Rehearsal::doubtful(const Interpreter& run, const Frame& frame, const Statement& load) {
  if (load.location.storage == kNone || load.location.element) return false;
  const Storage& place = run.facts_.storages[static_cast<std::size_t>(load.location.storage)];
  if (run.in_native(frame.id)) return !run.plain_number(load.result);
  if (place.kind != StorageKind::kInstanceAttribute || place.owner_class == kNone) return false;
  const auto made = run.instances_.find(place.owner_class);
  return made != run.instances_.end() && made->second > 1;
}

std::optional<Abstract> Interpreter::Rehearsal::loaded(Interpreter& run, Frame& frame, const CallSite& site,
                                                       const Abstract& result) {
  const Location& location = site.statement->location;
  const Abstract base = run.value(frame, location.base);
  const bool counts = std::any_of(result.constants.begin(), result.constants.end(),
                                  [&](int id) { return number_of(run.constant_at(id)).has_value(); });
  if (counts && doubtful(run, frame, *site.statement)) {
    Abstract any = result;
    any.open = true;
    return any;
  }
  if (location.element) {
    const bool part = run.slices(*site.statement) && base.objects.size() == 1 &&
                      std::binary_search(sizes_.begin(), sizes_.end(), base.objects.front());
    return part ? std::optional(run.open_value(result.nodes)) : std::nullopt;
  }
  if (!run.has_kind(base, ObjectKind::kTensor) || location.storage == kNone) return std::nullopt;
  const Storage& attribute = run.facts_.storages[static_cast<std::size_t>(location.storage)];
  if (attribute.kind != StorageKind::kOtherAttribute) return std::nullopt;
  const Shape* shape = shape_of(base);
  if (attribute.name == "shape" && shape != nullptr && result.objects.empty())
    return sizes(run, *shape, result.nodes, site);
  if (attribute.name == "ndim" && shape != nullptr && result.objects.empty()) {
    Abstract number = run.constant(Json(shape->size()));
    number.nodes = result.nodes;
    return number;
  }
  if (result.shape < 0 || attribute.name == "data") return std::nullopt;
  Abstract view = result;  // x.T
  view.shape = -1;
  return view;
}

// What a question about a tensor gives.
std::optional<Abstract> Interpreter::Rehearsal::asked(Interpreter& run, const std::string& last,
                                                      const std::vector<Abstract>& operands, const Abstract& result,
                                                      const CallSite& site) {
  const Shape* shape = operands.empty() ? nullptr : shape_of(operands.front());
  if (shape == nullptr || !result.objects.empty()) return std::nullopt;
  std::optional<Json> answer;
  if (one_of(last, {"numel", "nelement"})) answer = Json(product(*shape));
  if (one_of(last, {"dim", "ndimension"})) answer = Json(shape->size());
  if (one_of(last, {"size", "sizes"}) && operands.size() == 1) return sizes(run, *shape, result.nodes, site);
  if (last == "size" && operands.size() == 2) {
    const auto axis = run.integer(operands[1]);
    const auto rank = static_cast<std::int64_t>(shape->size());
    if (axis && *axis < rank && *axis >= -rank)
      answer = Json((*shape)[static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis)]);
  }
  if (last == "is_contiguous" && operands.size() == 1 && operands.front().objects.size() == 1) {
    const int position = run.argument_position(operands.front().objects.front());
    const auto place = static_cast<std::size_t>(std::max(position, 0));
    if (position >= 0 && place < call.shapes.size() && call.shapes[place] == *shape) answer = Json(true);
  }
  if (!answer) return std::nullopt;
  Abstract number = run.constant(*answer);
  number.nodes = result.nodes;
  return number;
}

// The sizes of what a call makes or views.
std::optional<Interpreter::Rehearsal::Shape> Interpreter::Rehearsal::made(Interpreter& run, const std::string& last,
                                                                          OperationKind kind,
                                                                          const std::vector<Abstract>& operands) const {
  const Shape* first = operands.empty() ? nullptr : shape_of(operands.front());
  const bool method = !operands.empty() && run.has_kind(operands.front(), ObjectKind::kTensor);
  const auto numbers = [&](std::size_t from) -> std::optional<Shape> {
    std::vector<Abstract> items(operands.begin() + static_cast<std::ptrdiff_t>(std::min(from, operands.size())),
                                operands.end());
    if (!items.empty() && run.has_kind(items.front(), ObjectKind::kContainer)) {
      if (items.front().objects.size() != 1) return std::nullopt;
      items = run.items_in_order(items.front());
    }
    Shape shape;
    for (const Abstract& item : items) {
      const auto size = run.integer(item);
      if (!size) return std::nullopt;
      shape.push_back(*size);
    }
    return shape.empty() ? std::nullopt : std::optional(shape);
  };
  const auto copied = [&] { return first == nullptr ? std::nullopt : std::optional(*first); };
  if (kind == OperationKind::kCopy || last.ends_with("_like") || one_of(last, {"detach", "view_as_self", "alias"}))
    return copied();
  if (one_of(last, {"empty", "zeros", "ones", "rand", "randn", "full"})) return method ? std::nullopt : numbers(0);
  if (one_of(last, {"new_empty", "new_zeros", "new_ones", "new_full"})) return numbers(1);
  if (first == nullptr || !one_of(last, {"view", "reshape", "flatten"})) return std::nullopt;
  if (last == "flatten") return operands.size() == 1 ? std::optional(Shape{product(*first)}) : std::nullopt;
  auto viewed = numbers(1);
  if (!viewed) return std::nullopt;
  const auto open = std::find(viewed->begin(), viewed->end(), -1);
  if (open == viewed->end()) return viewed;
  *open = 1;
  const std::int64_t rest = product(*viewed);
  if (rest <= 0) return std::nullopt;
  *open = product(*first) / rest;
  return viewed;
}

// Whether both are tuples of numbers that are known.
bool Interpreter::Rehearsal::same_sizes(Interpreter& run, const Abstract& a, const Abstract& b, bool& same) const {
  std::vector<std::vector<Abstract>> items;
  for (const Abstract* each : {&a, &b}) {
    if (each->open || each->objects.size() != 1 || !run.has_kind(*each, ObjectKind::kContainer)) return false;
    items.push_back(run.items_in_order(*each));
    if (items.back().empty()) return false;
  }
  same = items[0].size() == items[1].size();
  for (std::size_t i = 0; i < items[0].size() && i < items[1].size(); ++i) {
    const auto left = run.integer(items[0][i]), right = run.integer(items[1][i]);
    if (!left || !right) return false;
    same = same && *left == *right;
  }
  return true;
}

Abstract Interpreter::Rehearsal::known(Interpreter& run, Frame& frame, const CallSite& site, Abstract result) {
  const Statement& s = *site.statement;
  if (!frame.in_order || run.phase_ == Phase::kImport) return result;
  if (&s == frame.step) return frame.item;
  if (s.kind == StatementKind::kLoad) return loaded(run, frame, site, result).value_or(result);
  if (s.kind != StatementKind::kCall || s.target != kNone || s.star_args) return result;
  std::vector<Abstract> operands;
  if (s.receiver != kNone) operands.push_back(run.value(frame, s.receiver));
  for (const Id arg : s.args) operands.push_back(run.value(frame, arg));
  const bool on_tensor = !operands.empty() && run.has_kind(operands.front(), ObjectKind::kTensor);
  const std::string last = last_part(s.callee);
  const OperationKind kind = classify(s.callee, on_tensor).kind;
  if (s.keywords.empty() && one_of(last, {"numel", "nelement", "dim", "ndimension", "size", "sizes", "is_contiguous"}))
    return asked(run, last, operands, result, site).value_or(result);
  if (s.callee == "builtins.len" && operands.size() == 1) {
    if (const std::size_t count = layers(run, operands.front()).size(); count > 0) {
      Abstract number = run.constant(Json(count));
      number.nodes = result.nodes;
      return number;
    }
  }
  switch (kind) {
    case OperationKind::kView:
    case OperationKind::kPartialView:
    case OperationKind::kCopy:
    case OperationKind::kAllocation:
    case OperationKind::kConstant:
    case OperationKind::kRandom: {
      if (!run.has_kind(result, ObjectKind::kTensor)) return result;
      const auto shape = made(run, last, kind, operands);
      result.shape = shape ? interned(*shape) : -1;
      return result;
    }
    default:
      break;
  }
  if (!result.objects.empty() || !result.constants.empty()) return result;
  const bool arithmetic = (s.callee.starts_with("operator.") && s.keywords.empty()) ||
                          one_of(s.callee, {"builtins.min", "builtins.max", "std::min", "std::max", "triton.cdiv"});
  std::optional<Json> answer;
  if (arithmetic && operands.size() == 2) {
    bool same = false;
    if (one_of(last, {"eq", "ne"}) && same_sizes(run, operands[0], operands[1], same)) {
      answer = Json(same == (last == "eq"));
    } else {
      const auto single = [&](const Abstract& operand) -> const Json* {
        const bool known = operand.constants.size() == 1 && !operand.open && operand.objects.empty();
        return known ? &run.constant_at(operand.constants[0]) : nullptr;
      };
      const Json *a = single(operands[0]), *b = single(operands[1]);
      const auto left = a == nullptr ? std::nullopt : number_of(*a),
                 right = b == nullptr ? std::nullopt : number_of(*b);
      if (left && right) answer = compared(last, *left, *right);
      const auto whole = run.integer(operands[0]), by = run.integer(operands[1]);
      if (!answer && whole && by) answer = computed(last, *whole, *by);
    }
  }
  if (!answer) return result;
  const std::string& type =
      s.result == kNone ? std::string() : run.facts_.values[static_cast<std::size_t>(s.result)].type.name;
  const bool wraps = answer->is_number() && answer->get<double>() < 0 && type.find("unsigned") != std::string::npos;
  if (wraps) return result;
  Abstract number = run.constant(*answer);
  number.nodes = result.nodes;
  // What is computed is not a constant of the source: the next call may compute another one.
  const NodeId node = run.graph_.node(NodeKind::kScalar, site.where, site.context, 1);
  run.graph_.at(node).name = s.callee;
  run.graph_.at(node).phase = run.phase_;
  insert_into(number.nodes, node);
  return number;
}

// A whole number that a value certainly is.
std::optional<std::int64_t> Interpreter::integer(const Abstract& value) const {
  if (value.constants.size() != 1 || value.open || !value.objects.empty()) return std::nullopt;
  const Json& json = constant_at(value.constants[0]);
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  return json.is_number_integer() ? std::optional(json.get<std::int64_t>()) : std::nullopt;
}

const Statement* Interpreter::maker_of(Id value) const {
  if (makers_.empty()) {
    makers_.resize(facts_.values.size(), nullptr);
    for (const Function& function : facts_.functions) {
      for (const Block& block : function.blocks) {
        for (const Statement& s : block.statements) {
          if (s.result != kNone) makers_[static_cast<std::size_t>(s.result)] = &s;
        }
      }
    }
  }
  return value == kNone ? nullptr : makers_[static_cast<std::size_t>(value)];
}

}  // namespace kernel_audit::analysis::facts
