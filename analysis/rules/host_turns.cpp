// How often loops of host code turn, and which way its conditions go, for HostNumbers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/launch_choices.h"
#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Block;
using facts::Edge;
using facts::EdgeKind;
using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 60;

std::optional<bool> compared(const std::string& op, double a, double b) {
  if (op == "lt") return a < b;
  if (op == "le") return a <= b;
  if (op == "gt") return a > b;
  if (op == "ge") return a >= b;
  if (op == "eq") return a == b;
  if (op == "ne") return a != b;
  return std::nullopt;
}

// Three-valued: what decides goes before what is not known.
std::optional<bool> all_or_any(const std::vector<std::optional<bool>>& parts, bool any) {
  std::optional<bool> result = !any;
  for (const std::optional<bool>& part : parts) {
    if (part == any) return any;
    if (!part) result = std::nullopt;
  }
  return result;
}

}  // namespace

std::optional<bool> HostNumbers::truth(Id value, int frame, int depth) {
  if (value == kNone || frame < 0 || depth > kDeepest) return std::nullopt;
  if (const Json* constant = constant_of(model_, value); constant != nullptr && !constant->is_number()) {
    if (constant->is_boolean()) return constant->get<bool>();
    if (constant->is_string()) return !constant->get_ref<const std::string&>().empty();
    return constant->is_null() ? std::optional(false) : std::nullopt;
  }
  const Made made = origin(value, frame, depth + 1);
  if (made.statement != nullptr) {
    const Statement& s = *made.statement;
    const std::string op = last_part(s.callee);
    const auto parts = [&] {
      std::vector<std::optional<bool>> known;
      for (const Id arg : s.args) known.push_back(truth(arg, made.frame, depth + 1));
      return known;
    };
    if (s.kind == StatementKind::kPhi && (op == "and" || op == "or")) return all_or_any(parts(), op == "or");
    const bool call = s.kind == StatementKind::kCall;
    // Of numbers it is bit by bit: only what is false for sure decides.
    if (call && s.callee == "operator.and_" && all_or_any(parts(), false) == false) return false;
    if (call && s.args.size() == 1 && (op == "not_" || op == "bool" || s.callee == "operator.cast")) {
      const auto inner = truth(s.args[0], made.frame, depth + 1);
      return inner && op == "not_" ? std::optional(!*inner) : inner;
    }
    if (call && s.callee.starts_with("operator.") && s.args.size() == 2) {
      const auto a = of(s.args[0], made.frame, depth + 1).number, b = of(s.args[1], made.frame, depth + 1).number;
      const auto says = a && b ? compared(op, *a, *b) : std::nullopt;
      if (says) return says;
    }
  }
  const Value known = of(value, frame, depth + 1);
  return known.number ? std::optional(*known.number != 0) : truth_of_object(made, depth);
}

// Whether all that is done with the address of a variable is to hand it to functions that only read what it leads to.
bool HostNumbers::only_lent(const KernelView& view, Id storage) const {
  std::set<Id> lent;
  const auto itself = [&](Id value) {
    const Statement* load = made_at(value).statement;
    return load != nullptr && load->kind == StatementKind::kLoad && load->location.storage == storage;
  };
  const auto& parameters = view.function.parameters;
  if (std::any_of(parameters.begin(), parameters.end(), [&](const auto& each) { return each.storage == storage; }) &&
      !view.flow.stores_to(storage).empty())
    return false;
  for (const Function& other : model_.facts().functions) {  // lambdas share the variables around them
    for (const Block& block : other.enclosing_function == kNone ? std::vector<Block>{} : other.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kStore && s.location.storage == storage) return false;
      }
    }
  }
  for (const Block& block : view.function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::kStore && (itself(s.location.base) || lent.contains(s.value))) return false;
      if (s.callee == "operator.addressof" && itself(s.args[0])) lent.insert(s.result);
      for (std::size_t i = 0; i < s.args.size(); ++i) {
        if (lent.contains(s.args[i]) && (s.target == kNone || !only_read(s.target, i))) return false;
      }
    }
  }
  return true;
}

// Whether a variable of C++ code may be changed where no store to it shows: by its address, by a reference that another
// variable is, or in a lambda.
bool HostNumbers::handed_out(Id function, Id storage) {
  if (!model_.native(function)) return false;
  const auto [known, fresh] = changed_unseen_.try_emplace({function, storage}, false);
  if (fresh) known->second = may_change_unseen(function, storage);
  return known->second;
}

bool HostNumbers::may_change_unseen(Id function, Id storage) const {
  const KernelView& view = view_of(model_, function);
  const PlainVariables variables(view);
  if (variables.changed(storage) && !only_lent(view, storage)) return true;
  const auto itself = [&](Id value) {
    const Statement* load = made_at(value).statement;
    return load != nullptr && load->kind == StatementKind::kLoad && !load->location.element &&
           load->location.storage == storage;
  };
  const auto hands_out = [&](const Statement& s) {
    if (s.kind == StatementKind::kStore) return itself(s.value) && variables.changed(s.location.storage);
    return s.kind == StatementKind::kCall && one_of(last_part(s.callee), {"tie", "ref", "swap", "exchange"}) &&
           std::any_of(s.args.begin(), s.args.end(), itself);
  };
  return std::any_of(view.function.blocks.begin(), view.function.blocks.end(), [&](const Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(), hands_out);
  });
}

// Whether what lasts may be what another store than its only one put there: a default of the class, what a class above
// or below stores under the name, and objects whose class is not known.
bool HostNumbers::others_store(Id storage) const {
  const auto& storages = model_.facts().storages;
  const facts::Storage& place = storages[static_cast<std::size_t>(storage)];
  if (place.kind == facts::StorageKind::kGlobal) return false;
  const auto above = [&](Id a, Id b) {
    const std::vector<Id> order = model_.run().class_order(a);
    return std::find(order.begin(), order.end(), b) != order.end();
  };
  return std::any_of(stores_.begin(), stores_.end(), [&](const auto& stored) {
    const facts::Storage& other = storages[static_cast<std::size_t>(stored.first)];
    if (stored.first == storage || other.name != place.name) return false;
    if (other.kind == facts::StorageKind::kOtherAttribute) return true;
    if (other.kind != facts::StorageKind::kInstanceAttribute && other.kind != facts::StorageKind::kClassAttribute)
      return false;
    return other.owner_class == kNone || place.owner_class == kNone || above(other.owner_class, place.owner_class) ||
           above(place.owner_class, other.owner_class);
  });
}

// What the constructor of an object stores of it, where it is seen which call made the object.
std::optional<HostNumbers::Held> HostNumbers::made_with(const Place& store, Id object, int frame) {
  const Function& constructor = model_.function(store.where.function);
  const Made made = origin(object, frame);
  if (made.statement == nullptr || made.statement->target != store.where.function || constructor.name != "__init__" ||
      nested_ > kMostNested)
    return std::nullopt;
  const Statement* self = made_at(store.statement->location.base).statement;
  const bool itself = self != nullptr && self->kind == StatementKind::kLoad && !constructor.parameters.empty() &&
                      self->location.storage == constructor.parameters[0].storage;
  const auto& flow = model_.run().flow(store.where.function);
  if (!itself || !flow.deciders(store.where.block).empty()) return std::nullopt;
  const Nested nested(nested_);
  return Held{store.statement->value, add({store.where.function, made.statement, nullptr, made.frame})};
}

// Of a[begin:end:step], when `size` is how many a has; what begins at its end, or ends where it begins, has none.
std::optional<double> HostNumbers::elements_of_slice(const Statement& slice, std::optional<double> size, int frame,
                                                     int depth) {
  const auto bound = [&](std::size_t i) -> std::optional<double> {
    return i < slice.args.size() ? of(slice.args[i], frame, depth + 1).number : std::nullopt;
  };
  const auto left_out = [&](std::size_t i) {
    const Json* given = i < slice.args.size() ? constant_of(model_, slice.args[i]) : nullptr;
    return i >= slice.args.size() || (given != nullptr && given->is_null());
  };
  const auto step = left_out(2) ? std::optional(1.0) : bound(2);
  if (!step || *step < 1) return std::nullopt;
  const auto begin = left_out(0) ? std::optional(0.0) : bound(0);
  const auto end = left_out(1) ? size : bound(1);
  if (begin && end && !left_out(1) && *begin >= 0 && *end >= 0 && *end <= *begin) return 0.0;
  if (!size || !begin || !end) return std::nullopt;
  const auto place = [&](double at) { return std::clamp(at < 0 ? at + *size : at, 0.0, *size); };
  return std::ceil(std::max(0.0, place(*end) - place(*begin)) / *step);
}

// filter(None, […]) of nothing that is true.
bool HostNumbers::none_passes(const Statement& filter, int frame, int depth) {
  const Json* test = constant_of(model_, filter.args[0]);
  const Made list = origin(filter.args[1], frame, depth + 1);
  if (turns(filter.args[1], frame, depth + 1) == 0.0) return true;
  if (test == nullptr || !test->is_null() || list.statement == nullptr || list.statement->callee_value != kNone ||
      !one_of(list.statement->callee, {"builtins.list", "builtins.tuple"}) || grown(*list.statement))
    return false;
  return std::all_of(list.statement->args.begin(), list.statement->args.end(),
                     [&](Id each) { return truth(each, list.frame, depth + 1) == false; });
}

std::optional<double> HostNumbers::turns_of_call(const Statement& s, int frame, int depth) {
  const std::string last = last_part(s.callee);
  const auto number = [&](std::size_t i) {
    return i < s.args.size() ? of(s.args[i], frame, depth + 1).number : std::nullopt;
  };
  const auto turns_of = [&](std::size_t i) {
    return i < s.args.size() ? turns(s.args[i], frame, depth + 1) : std::nullopt;
  };
  if (s.star_args) return std::nullopt;
  if (s.callee == "builtins.range") {
    const auto begin = s.args.size() > 1 ? number(0) : std::optional(0.0), end = number(s.args.size() > 1 ? 1 : 0);
    const auto step = s.args.size() > 2 ? number(2) : std::optional(1.0);
    if (!begin || !end || !step || *step == 0) return std::nullopt;
    return std::max(0.0, std::ceil((*end - *begin) / *step));
  }
  const bool together = s.callee == "builtins.zip" || s.callee == "builtins.map" || s.callee == "itertools.product";
  if (together) {
    std::optional<double> least;
    bool all = s.callee == "builtins.zip" && !s.args.empty();
    for (std::size_t i = s.callee == "builtins.map" ? 1 : 0; i < s.args.size(); ++i) {
      const auto one = turns_of(i);
      if (one == 0.0) return 0.0;
      all = all && one;
      if (one) least = std::min(least.value_or(*one), *one);
    }
    return all ? least : std::nullopt;
  }
  if (s.callee == "itertools.islice") {
    const auto begin = s.args.size() > 2 ? number(1) : std::optional(0.0), end = number(s.args.size() > 2 ? 2 : 1);
    if ((begin && end && *end <= *begin) || turns_of(0) == 0.0) return 0.0;
    return std::nullopt;
  }
  if (s.callee == "itertools.repeat" && s.args.size() == 2) return number(1);
  if (s.callee == "builtins.filter" && s.args.size() == 2)
    return none_passes(s, frame, depth) ? std::optional(0.0) : std::nullopt;
  if (s.callee == "builtins.iter" && s.args.size() == 2) {  // until it gives the last
    const Id function = model_.value(s.args[0]).function;
    if (function == kNone || nested_ > kMostNested) return std::nullopt;
    const Nested nested(nested_);
    const int inside = add({function, nullptr, nullptr, frame});
    const auto first = of(returned(function, inside), inside, depth + 1).number;
    return first && first == number(1) ? std::optional(0.0) : std::nullopt;
  }
  const bool shown = s.callee_value == kNone && s.receiver == kNone;
  if (shown && s.callee == "builtins.tuple" && !s.args.empty()) return static_cast<double>(s.args.size());
  if (shown && s.callee == "builtins.list" && !grown(s)) return static_cast<double>(s.args.size());
  const bool handed_on = one_of(s.callee, {"builtins.iter", "builtins.list", "builtins.tuple", "builtins.sorted",
                                           "builtins.reversed", "builtins.enumerate"});
  if (handed_on && !shown && s.args.size() == 1) return turns_of(0);
  if ((s.callee == "builtins.iter" || s.callee == "builtins.enumerate") && !s.args.empty()) return turns_of(0);
  return std::nullopt;
}

// Of a vector of C++ that begins empty, in the function that fills it: none where all that would add to it is never
// come to.
std::optional<double> HostNumbers::turns_of_vector(const Statement& made, int frame) {
  const Id function = frames_[static_cast<std::size_t>(frame)].function;
  if (!model_.native(function) || !made.args.empty() || !made.callee.starts_with("std::vector::")) return std::nullopt;
  std::set<Id> variables;
  const auto& blocks = model_.function(function).blocks;
  for (const Block& block : blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::kStore && s.value == made.result) variables.insert(s.location.storage);
    }
  }
  if (variables.size() != 1) return std::nullopt;
  const auto itself = [&](Id value) {
    const Statement* load = made_at(value).statement;
    return load != nullptr && load->kind == StatementKind::kLoad && !load->location.element &&
           load->location.storage == *variables.begin();
  };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Statement& s : blocks[b].statements) {
      const bool handed = std::any_of(s.args.begin(), s.args.end(), itself);
      const bool asks = one_of(last_part(s.callee), {"size", "empty", "reserve", "begin", "end"});
      const bool store = s.kind == StatementKind::kStore && itself(s.location.base);
      const bool changes = handed || store || (itself(s.receiver) && !asks);
      if (changes && !kept_from(static_cast<Id>(b), frame)) return std::nullopt;
    }
  }
  return 0.0;
}

std::optional<double> HostNumbers::turns(Id iterable, int frame, int depth) {
  if (iterable == kNone || frame < 0 || depth > kDeepest || ++steps_ > kMostSteps) return std::nullopt;
  if (const Json* constant = constant_of(model_, iterable); constant != nullptr) {
    const bool tuple = constant->is_array() && model_.value(iterable).type.kind == facts::TypeKind::kTuple;
    return tuple ? std::optional(static_cast<double>(constant->size())) : std::nullopt;
  }
  const Made made = origin(iterable, frame, depth + 1);
  if (made.statement == nullptr) return std::nullopt;
  const Statement& s = *made.statement;
  if (s.kind == StatementKind::kLoad && s.location.element) {
    const Place key = made_at(s.location.key);
    if (key.statement == nullptr || key.statement->callee != "builtins.slice") return std::nullopt;
    return elements_of_slice(*key.statement, turns(s.location.base, made.frame, depth + 1), made.frame, depth);
  }
  if (const auto own = turns_of_object(made, depth)) return own;
  if (s.kind == StatementKind::kCall && s.target != kNone) {
    if (nested_ > kMostNested) return std::nullopt;
    const Nested nested(nested_);
    const int inside = add({s.target, &s, nullptr, made.frame});
    if (model_.function(s.target).is_generator)
      return yields_nothing(s.target, inside) ? std::optional(0.0) : std::nullopt;
    return turns(returned(s.target, inside), inside, depth + 1);
  }
  if (s.kind != StatementKind::kCall) return std::nullopt;
  if (const auto none = turns_of_vector(s, made.frame)) return none;
  return turns_of_call(s, made.frame, depth);
}

// Whether the loop that `block` heads is entered. A `for` asks its iterable, anything else is true or false when it is
// come to first: the stores inside have not run. Of a loop in a loop that is not known.
std::optional<bool> HostNumbers::enters(Id function, Id block, int frame) {
  const Block& head = model_.function(function).blocks[static_cast<std::size_t>(block)];
  for (std::size_t i = 0; i < head.statements.size(); ++i) {
    const Statement& s = head.statements[i];
    if (s.callee != "builtins.next" || s.args.size() != 1) continue;
    const auto empty = model_.run().steps_of_nothing.find({function, block, static_cast<Id>(i)});
    if (empty != model_.run().steps_of_nothing.end() && empty->second) return false;
    const auto known = turns(s.args[0], frame);
    return known ? std::optional(*known > 0) : std::nullopt;
  }
  const facts::FlowGraph& flow = model_.run().flow(function);
  const auto& blocks = model_.function(function).blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Id other = static_cast<Id>(b);
    if (other != block && flow.dominates(other, block) && heads_loop(model_.function(function), other) &&
        std::any_of(blocks.begin(), blocks.end(), [&](const Block& each) {
          return std::any_of(each.successors.begin(), each.successors.end(), [&](const Edge& edge) {
            return edge.to == other && edge.kind == EdgeKind::kLoopBack &&
                   flow.dominates(block, static_cast<Id>(&each - blocks.data()));
          });
        }))
      return std::nullopt;
  }
  const auto around = std::exchange(entered_, {function, block});
  const auto holds = truth(head.condition, frame);
  entered_ = around;
  return holds;
}

bool HostNumbers::no_blocks(const Statement& launch, int frame) {
  const bool before = std::exchange(deciding_, true);
  const std::vector<double> blocks = grid(launch, launch.launch->grid, frame);
  deciding_ = before;
  return std::find(blocks.begin(), blocks.end(), 0.0) != blocks.end();
}

std::optional<bool> HostNumbers::goes(Id function, Id block, int frame) {
  const facts::Function& body = model_.function(function);
  const bool before = std::exchange(deciding_, true);
  const auto way = heads_loop(body, block) ? enters(function, block, frame)
                                           : truth(body.blocks[static_cast<std::size_t>(block)].condition, frame);
  deciding_ = before;
  return way;
}

std::optional<bool> HostNumbers::decides(Id function, Id block, int frame) {
  const auto way = goes(function, block, frame);
  // A loop that is entered comes to its end as well.
  return way == true && heads_loop(model_.function(function), block) ? std::nullopt : way;
}

}  // namespace kernel_audit::analysis::rules
