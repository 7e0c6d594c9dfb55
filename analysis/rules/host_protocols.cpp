// What own objects answer to what the language asks them, for HostNumbers: how many elements there are to iterate over,
// how long they are, whether they are true.
#include <algorithm>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

// A method of the object that a constructor of an own class made, as the language calls it: with no arguments, or with
// the number 0.
std::optional<HostNumbers::Asked> HostNumbers::ask(const Made& object, const std::string& method) {
  const Statement* made = object.statement;
  if (made == nullptr || made->kind != StatementKind::kCall || made->result == kNone || nested_ > kMostNested)
    return std::nullopt;
  const facts::Value& value = model_.value(made->result);
  const bool instance = value.class_id != kNone &&
                        made->callee == model_.facts().classes[static_cast<std::size_t>(value.class_id)].qualified_name;
  const Id function = instance ? model_.run().find_method(value.class_id, method) : kNone;
  if (function == kNone || model_.native(function) || model_.function(function).is_static_method) return std::nullopt;
  Statement& call = implied_.emplace_back();
  call.kind = StatementKind::kCall;
  call.target = function;
  call.receiver = made->result;
  Frame frame{function, &call, nullptr, object.frame};
  frame.by_language = true;
  return Asked{function, add(frame)};
}

// Whether a method raises whatever it is that it is called for.
bool HostNumbers::only_raises(const Asked& asked) {
  const auto& blocks = model_.function(asked.function).blocks;
  const auto& order = model_.run().flow(asked.function).order();
  bool raises = false;
  for (const Id b : order) {
    const facts::Block& block = blocks[static_cast<std::size_t>(b)];
    const auto ends = std::find_if(block.statements.begin(), block.statements.end(), [](const Statement& s) {
      return s.kind == StatementKind::kReturn || s.kind == StatementKind::kRaise;
    });
    const bool raised = ends != block.statements.end() && ends->kind == StatementKind::kRaise;
    raises = raises || raised;
    const bool comes_back = !raised && (ends != block.statements.end() || block.successors.empty());
    if (comes_back && !kept_from(b, asked.frame)) return false;
  }
  return raises;
}

// Whether a generator comes to its end before it yields anything.
bool HostNumbers::yields_nothing(Id generator, int frame) {
  const auto& blocks = model_.function(generator).blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const bool yields = std::any_of(blocks[b].statements.begin(), blocks[b].statements.end(),
                                    [](const Statement& s) { return s.yields; });
    if (yields && !kept_from(static_cast<Id>(b), frame)) return false;
  }
  return true;
}

// By __iter__ and __next__, or else by __getitem__ for 0, 1 and so on.
std::optional<double> HostNumbers::turns_of_object(const Made& object, int depth) {
  const Nested nested(nested_);
  if (const auto iter = ask(object, "__iter__")) {
    if (model_.function(iter->function).is_generator)
      return yields_nothing(iter->function, iter->frame) ? std::optional(0.0) : std::nullopt;
    const Id given = returned(iter->function, iter->frame);
    if (origin(given, iter->frame, depth + 1).statement != object.statement)
      return turns(given, iter->frame, depth + 1);
    const auto next = ask(object, "__next__");
    return next && only_raises(*next) ? std::optional(0.0) : std::nullopt;
  }
  const auto item = ask(object, "__getitem__");
  return item && only_raises(*item) ? std::optional(0.0) : std::nullopt;
}

std::optional<double> HostNumbers::length_of_object(const Made& object, int depth) {
  const Nested nested(nested_);
  const auto length = ask(object, "__len__");
  return length ? of(returned(length->function, length->frame), length->frame, depth + 1).number : std::nullopt;
}

std::optional<bool> HostNumbers::truth_of_object(const Made& object, int depth) {
  const Nested nested(nested_);
  if (const auto asked = ask(object, "__bool__"))
    return truth(returned(asked->function, asked->frame), asked->frame, depth + 1);
  const auto length = length_of_object(object, depth);
  return length ? std::optional(*length != 0) : std::nullopt;
}

// The number that the language hands to a method in place of its first argument.
bool HostNumbers::is_first_place(const Statement& load, int frame) const {
  const Frame& in = frames_[static_cast<std::size_t>(frame)];
  if (!in.by_language || load.location.element || load.location.base != kNone) return false;
  const auto& parameters = model_.function(in.function).parameters;
  const auto stores = stores_.find(load.location.storage);
  return parameters.size() == 2 && parameters[1].storage == load.location.storage && load.location.storage != kNone &&
         (stores == stores_.end() || stores->second.empty());
}

// What a step of an iterator changes of it is not changed yet when the first is taken.
bool HostNumbers::after_first_step(const Place& store, const Place& load, int frame) const {
  const Frame& in = frames_[static_cast<std::size_t>(frame)];
  if (!in.by_language || store.where.function != in.function || load.where.function != in.function) return false;
  const bool before = store.where.block == load.where.block
                          ? store.where.index < load.where.index
                          : !model_.run().flow(in.function).dominates(load.where.block, store.where.block);
  return !before;
}

}  // namespace kernel_audit::analysis::rules
