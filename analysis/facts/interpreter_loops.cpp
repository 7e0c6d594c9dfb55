// How often loops of C++ turn, where the candidate says it: comparisons of known numbers, containers that hold nothing,
// and the algorithms that stand for loops.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

std::string_view algorithm(std::string_view callee) {
  for (const std::string_view space : {"std::ranges::", "std::"}) {
    if (callee.starts_with(space)) return callee.substr(space.size());
  }
  return {};
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Leaves a container that it is handed as it was.
bool only_reads(std::string_view callee) {
  return callee.starts_with("operator.") || is_one_of(callee, {"builtins.iter", "builtins.next", "builtins.len"}) ||
         is_one_of(
             algorithm(callee),
             {"begin",       "end",      "cbegin", "cend",    "size", "ssize",   "empty", "for_each", "accumulate",
              "reduce",      "all_of",   "any_of", "none_of", "find", "find_if", "count", "count_if", "max_element",
              "min_element", "distance", "next",   "prev",    "get",  "visit",   "move"});
}

// Makes a container of what it is given.
bool makes_container(const Statement& made, const Value& result) {
  const auto [first, last] = std::pair{made.callee.find("std::"), made.callee.rfind("::")};
  const bool constructor = first == 0 && last != std::string::npos && last > 5 &&
                           made.callee.substr(5, last - 5) == made.callee.substr(last + 2);
  const bool display = made.callee == "builtins.list" || made.callee == "builtins.dict";
  const bool grows = (result.type.kind == TypeKind::kList && !result.type.name.starts_with("std::array")) ||
                     result.type.kind == TypeKind::kDict;
  return grows && (constructor || display);
}

}  // namespace

const Statement* Interpreter::made_by(ObjectId id) const {
  const StatementRef& where = object(id).made;
  if (where.function == kNone || where.block == kNone || where.index < 0) return nullptr;
  const auto& blocks = facts_.functions[static_cast<std::size_t>(where.function)].blocks;
  if (where.block >= std::ssize(blocks)) return nullptr;
  const auto& statements = blocks[static_cast<std::size_t>(where.block)].statements;
  return where.index < std::ssize(statements) ? &statements[static_cast<std::size_t>(where.index)] : nullptr;
}

// Calls `visit` with each statement of what the host runs of C++.
void Interpreter::for_each_on_host(const std::function<void(const Statement&)>& visit) const {
  for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
    if (!in_native(static_cast<Id>(f)) || facts_.functions[f].is_device) continue;
    for (const Block& block : facts_.functions[f].blocks)
      std::for_each(block.statements.begin(), block.statements.end(), visit);
  }
}

// Variables that a lambda sets, of the function around it.
void Interpreter::add_set_by_lambdas(std::set<Id>& variables) const {
  for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
    const Function& lambda = facts_.functions[f];
    if (!in_native(static_cast<Id>(f)) || lambda.is_device || lambda.enclosing_function == kNone) continue;
    for (const Block& block : lambda.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kStore || s.location.storage == kNone || s.location.base != kNone) continue;
        const Storage& set = facts_.storages[static_cast<std::size_t>(s.location.storage)];
        if (set.owner_function != static_cast<Id>(f)) variables.insert(s.location.storage);
      }
    }
  }
}

// Values of C++ that hold what the stores to their variables say: what a pointer or a reference to a variable does to
// it is not followed.
void Interpreter::find_plain_numbers() {
  std::map<Id, Id> loaded;  // value → variable
  std::set<Id> changed, through;
  const auto variable_of = [&](Id value) {
    const auto found = loaded.find(value);
    return found == loaded.end() ? kNone : found->second;
  };
  for_each_on_host([&](const Statement& s) {
    if (s.kind == StatementKind::kLoad && !s.location.element && s.location.storage != kNone)
      loaded[s.result] = s.location.storage;
  });
  for_each_on_host([&](const Statement& s) {
    if (s.callee == "operator.addressof" && !s.args.empty()) changed.insert(variable_of(s.args[0]));
    if (s.kind == StatementKind::kStore && s.location.base != kNone) through.insert(variable_of(s.location.base));
  });
  through.insert(changed.begin(), changed.end());
  for (std::size_t before = 0; before != through.size();) {  // `int& r = n`, and `fill(r)`
    before = through.size();
    for_each_on_host([&](const Statement& s) {
      if (s.kind == StatementKind::kStore && s.location.base == kNone && through.contains(s.location.storage))
        through.insert(variable_of(s.value));
    });
  }
  changed.insert(through.begin(), through.end());
  add_set_by_lambdas(changed);
  // Structures whose address leaves the candidate's own code: their members may change there.
  std::map<Id, Id> pointed;  // address → what it is of
  std::set<std::string> handed_out;
  for_each_on_host([&](const Statement& s) {
    if (s.callee == "operator.addressof" && !s.args.empty()) pointed[s.result] = s.args[0];
  });
  for_each_on_host([&](const Statement& s) {
    if (s.kind != StatementKind::kCall || s.target != kNone || s.callee.starts_with("operator.")) return;
    for (const Id arg : s.args) {
      if (const auto of = pointed.find(arg); of != pointed.end())
        handed_out.insert(facts_.values[static_cast<std::size_t>(of->second)].type.name);
    }
  });
  for_each_on_host([&](const Statement& s) {
    const auto variable = s.kind == StatementKind::kLoad ? loaded.find(s.result) : loaded.end();
    if (variable == loaded.end() || changed.contains(variable->second)) return;
    const Id owner = s.location.base;
    if (owner == kNone || !handed_out.contains(facts_.values[static_cast<std::size_t>(owner)].type.name))
      plain_values_.insert(s.result);
  });
  for (std::size_t before = 0; before != plain_values_.size();) {
    before = plain_values_.size();
    for_each_on_host([&](const Statement& s) {
      if (s.result != kNone && passes_number_on(s)) plain_values_.insert(s.result);
    });
  }
}

// Whether a statement gives one of the plain numbers that it is handed, or the number of elements of a container.
bool Interpreter::passes_number_on(const Statement& s) const {
  const auto plain = [&](Id value) { return plain_number(value); };
  if (s.kind == StatementKind::kPhi || s.callee == "operator.cast" || s.callee == "operator.not_")
    return std::all_of(s.args.begin(), s.args.end(), plain);
  if (s.kind != StatementKind::kCall) return false;
  if (s.receiver != kNone && (s.callee.ends_with("::size") || s.callee.ends_with("::empty"))) return true;
  if (s.target == kNone) return false;
  const auto& blocks = facts_.functions[static_cast<std::size_t>(s.target)].blocks;
  return std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return std::all_of(block.statements.begin(), block.statements.end(),
                       [&](const Statement& each) { return each.kind != StatementKind::kReturn || plain(each.value); });
  });
}

// A number of the source, or a value that holds what stores say.
bool Interpreter::plain_number(Id value) const {
  if (value == kNone) return false;
  const Value& known = facts_.values[static_cast<std::size_t>(value)];
  if (known.constant) return known.constant->is_number() || known.constant->is_boolean();
  return plain_values_.contains(value);
}

void Interpreter::note_exposed(const std::string& callee, const std::vector<Abstract>& operands, const CallSite& site) {
  if (only_reads(callee) || site.statement->target != kNone) return;
  for (const Abstract& operand : operands) {
    const ObjectSet containers = objects_of_kind(operand, ObjectKind::kContainer);
    exposed_.insert(containers.begin(), containers.end());
  }
}

// Whether it certainly is a container that nothing was put into.
bool Interpreter::known_empty(const Abstract& value) const {
  if (value.open || value.objects.empty() || !value.nodes.empty() || !value.constants.empty()) return false;
  return std::all_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
    const Statement* made = made_by(id);
    if (object(id).kind != ObjectKind::kContainer || exposed_.contains(id) || made == nullptr ||
        made->kind != StatementKind::kCall || made->result == kNone)
      return false;
    const Value& result = facts_.values[static_cast<std::size_t>(made->result)];
    const bool member = result.class_id != kNone;  // of an own object, which nothing has set
    bool filled = false, cleared = false;
    for_each_field(id, [&](KeyId, const Abstract& held) { (held.nothing() ? cleared : filled) = true; });
    if (!member && ((!made->args.empty() && !cleared) || !makes_container(*made, result))) return false;
    return !filled;
  });
}

// Whether a block can be come to again from itself.
bool Interpreter::turns(Id function, Id block) const {
  const auto& blocks = facts_.functions[static_cast<std::size_t>(function)].blocks;
  std::vector<Id> todo{block};
  std::set<Id> seen;
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    for (const Edge& edge : blocks[static_cast<std::size_t>(at)].successors) {
      if (edge.to == block) return true;
      if (seen.insert(edge.to).second) todo.push_back(edge.to);
    }
  }
  return false;
}

// Of numbers that are known: how a loop over none of them says so.
std::optional<Abstract> Interpreter::apply_comparison(const std::string& callee, const std::vector<Abstract>& operands,
                                                      const CallSite& site) {
  static const std::map<std::string, bool (*)(double, double), std::less<>> comparisons = {
      {"operator.lt", [](double a, double b) { return a < b; }},
      {"operator.le", [](double a, double b) { return a <= b; }},
      {"operator.gt", [](double a, double b) { return a > b; }},
      {"operator.ge", [](double a, double b) { return a >= b; }},
      {"operator.eq", [](double a, double b) { return a == b; }},
      {"operator.ne", [](double a, double b) { return a != b; }}};
  const auto holds = comparisons.find(callee);
  if (holds == comparisons.end() || operands.size() != 2 || site.statement->args.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const Abstract& operand = operands[i];
    if (operand.open || !operand.objects.empty() || !operand.nodes.empty() || operand.constants.empty() ||
        !plain_number(site.statement->args[i]))
      return std::nullopt;
  }
  std::optional<bool> result;
  for (const int left : operands[0].constants) {
    for (const int right : operands[1].constants) {
      const Json &a = constant_at(left), &b = constant_at(right);
      const auto number = [](const Json& json) {
        return json.is_boolean() ? (json.get<bool>() ? 1.0 : 0.0) : json.get<double>();
      };
      if (!(a.is_number() || a.is_boolean()) || !(b.is_number() || b.is_boolean())) return std::nullopt;
      const bool here = holds->second(number(a), number(b));
      if (result && *result != here) return std::nullopt;
      result = here;
    }
  }
  return constant(Json(*result));
}

// Where an iterator of a range stands, as far as the function says that asks for it: 0 at its begin.
std::optional<std::int64_t> Interpreter::offset_in_range(Id iterator, const CallSite& site) const {
  for (const Block& block : facts_.functions[static_cast<std::size_t>(site.where.function)].blocks) {
    for (const Statement& s : block.statements) {
      if (s.result != iterator) continue;
      if (s.callee.ends_with("::begin") || s.callee.ends_with("::cbegin") || s.callee.ends_with("::data")) return 0;
      if (s.kind == StatementKind::kLoad && !s.location.element) return 0;  // an array
      if (s.callee != "operator.add" || s.args.size() != 2) return std::nullopt;
      const auto& by = facts_.values[static_cast<std::size_t>(s.args[1])].constant;
      const auto start = offset_in_range(s.args[0], site);
      if (!by || !by->is_number_integer() || !start) return std::nullopt;
      return *start + by->get<std::int64_t>();
    }
  }
  return std::nullopt;
}

// Authored host code, or an algorithm of the standard library, that stores elements to memory.
void Interpreter::loop_on_host(const std::string& name, const ObjectSet& memory, const NodeSet& stored,
                               const CallSite& site) {
  const NodeId node = graph_.node(NodeKind::kNativeLoop, site.where, site.context, 0);
  graph_.at(node).name = name;
  graph_.at(node).phase = phase_;
  for (const NodeId before : read_contents(state_, memory)) {
    const NodeKind kind = graph_.at(before).kind;
    if (before != node && kind != NodeKind::kAllocation && kind != NodeKind::kConstant)
      graph_.add_slot(node, 0, {before});
  }
  graph_.add_operands(node, 1, stored);
  note_write(memory);
  note_argument_write(memory, site.where);
  write_contents(memory, {node});
}

// std::sort and its like over memory: a loop on the host. Of containers the elements change their places.
std::optional<Abstract> Interpreter::apply_memory_algorithm(const std::string& callee,
                                                            const std::vector<Abstract>& operands,
                                                            const CallSite& site) {
  const std::string_view name = algorithm(callee);
  const bool moves = is_one_of(name, {"sort", "stable_sort", "partial_sort", "nth_element", "reverse", "rotate",
                                      "shuffle", "inplace_merge", "make_heap", "sort_heap", "push_heap", "pop_heap"});
  const bool changes = moves || is_one_of(name, {"replace", "replace_if", "partition", "stable_partition", "unique",
                                                 "remove", "remove_if", "generate", "iota", "fill", "fill_n"});
  const bool copies = is_one_of(name, {"transform",
                                       "partial_sum",
                                       "inclusive_scan",
                                       "exclusive_scan",
                                       "adjacent_difference",
                                       "merge",
                                       "copy",
                                       "copy_if",
                                       "copy_n",
                                       "copy_backward",
                                       "move",
                                       "reverse_copy",
                                       "rotate_copy",
                                       "partial_sort_copy",
                                       "replace_copy",
                                       "replace_copy_if",
                                       "remove_copy",
                                       "remove_copy_if",
                                       "unique_copy",
                                       "set_union",
                                       "set_intersection",
                                       "set_difference"});
  if (!changes && !copies) return std::nullopt;
  ObjectSet first, last;
  NodeSet given;
  std::size_t ranges = 0;
  for (const Abstract& operand : operands) {
    merge_into(given, nodes_of(operand));
    const ObjectSet memory = objects_of_kind(operand, ObjectKind::kTensor);
    if (memory.empty()) continue;
    if (first.empty()) first = memory;
    last = memory;
    ++ranges;
  }
  if (copies && ranges < 2 && !is_one_of(name, {"transform", "partial_sum"})) return std::nullopt;
  if (first.empty()) {  // elements of containers
    Abstract containers, into;
    for (const Abstract& operand : operands) {
      if (!has_kind(operand, ObjectKind::kContainer)) continue;
      if (changes && !into.nothing()) break;
      into.objects = objects_of_kind(operand, ObjectKind::kContainer);
      for (const ObjectId id : into.objects) merge_into(containers.nodes, nodes_of(all_fields(id)));
    }
    if (into.nothing() || (!moves && containers.nodes.empty())) return std::nullopt;
    Abstract elements = moves ? all_fields(into.objects.front()) : open_value({});
    if (!containers.nodes.empty()) {  // what was copied to the host
      const NodeId node = graph_.node(NodeKind::kNativeLoop, site.where, site.context, 0);
      graph_.at(node).name = callee;
      graph_.at(node).phase = phase_;
      graph_.add_operands(node, 1, containers.nodes);
      elements = open_value({node});
    }
    for (const ObjectId id : into.objects) {
      std::vector<KeyId> keys;  // nothing is left of what was there
      for_each_field(id, [&](KeyId key, const Abstract&) { keys.push_back(key); });
      for (const KeyId key : into.objects.size() == 1 ? keys : std::vector<KeyId>{})
        state_.fields.set(field_key(id, key), Abstract{});
      write_field(id, kAnyKey, elements, false);
    }
    return open_value({});
  }
  loop_on_host(callee, changes ? first : last, given, site);
  return operands.back();
}

// std::for_each and its like over a container: the function is called with what the container holds, or not at all.
std::optional<Abstract> Interpreter::apply_algorithm(const std::string& callee, const std::vector<Abstract>& operands,
                                                     const CallSite& site) {
  const std::string_view name = algorithm(callee);
  if (is_one_of(name, {"find", "find_if", "find_if_not", "max_element", "min_element", "lower_bound", "upper_bound"}) &&
      operands.size() > 1 && has_kind(operands[0], ObjectKind::kContainer)) {
    Abstract found = elements_of(operands[0]);  // stands at one of them
    merge_into(found.objects, operands[0].objects);
    return found;
  }
  if (is_one_of(name, {"copy", "copy_if", "copy_n", "move"}) && operands.size() > 2 &&
      has_kind(operands[0], ObjectKind::kContainer) && has_kind(operands[2], ObjectKind::kContainer)) {
    for (const ObjectId id : objects_of_kind(operands[2], ObjectKind::kContainer))
      write_field(id, kAnyKey, elements_of(operands[0]), false);
    return operands[2];
  }
  if (name == "transform" && operands.size() == 4 && has_kind(elements_of(operands[0]), ObjectKind::kTensor) &&
      has_kind(operands[2], ObjectKind::kContainer) && has_kind(operands[3], ObjectKind::kFunction)) {
    std::vector<Abstract> given{elements_of(operands[0])};
    const Abstract made = call_object(operands[3], given, {}, site);
    for (const ObjectId id : objects_of_kind(operands[2], ObjectKind::kContainer))
      write_field(id, kAnyKey, made, false);
    return operands[2];
  }
  if (auto done = apply_memory_algorithm(callee, operands, site)) return done;
  const bool folds = name == "accumulate" || name == "reduce";
  const bool calls = is_one_of(name, {"for_each", "for_each_n", "all_of", "any_of", "none_of", "count_if"});
  const std::size_t at_least = callee.starts_with("std::ranges::") ? 2 : 3;
  if ((!folds && !calls) || operands.size() < at_least) return std::nullopt;
  const Abstract& range = operands[0];
  bool empty = known_empty(range);
  if (at_least == 3 && range.objects == operands[1].objects && !operands[1].open && site.statement->args.size() > 1) {
    const auto from = offset_in_range(site.statement->args[0], site),
               to = offset_in_range(site.statement->args[1], site);
    empty = empty || (from && to && *from == *to);
  }
  if (empty) return folds ? operands[2] : open_value({});
  const Abstract& function = operands.back();
  if (!has_kind(range, ObjectKind::kContainer) || range.open || !has_kind(function, ObjectKind::kFunction))
    return std::nullopt;
  std::vector<Abstract> given{elements_of(range)};
  if (folds) given.insert(given.begin(), operands[2]);
  const Abstract result = call_object(function, given, {}, site);
  return folds ? result : open_value(result.nodes);
}

}  // namespace kernel_audit::analysis::facts
