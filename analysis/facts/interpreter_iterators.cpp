// Iterators of Python that the candidate makes itself, by iter(), map() and their like: who has taken all that one
// gives gets nothing more of it. Whether one has come to its end lies in a field of an object of its own, so that it
// joins and ages like anything else.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr char kEnded[] = "ended";

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Takes every element of what it is handed.
bool takes_all(std::string_view callee) {
  return is_one_of(callee, {"builtins.tuple", "builtins.list", "builtins.set", "builtins.frozenset", "builtins.sorted",
                            "builtins.sum", "builtins.max", "builtins.min", "builtins.dict", "collections.deque"});
}

bool makes_iterator(std::string_view callee) {
  return is_one_of(callee, {"builtins.map", "builtins.filter", "builtins.zip", "builtins.enumerate",
                            "builtins.reversed", "itertools.chain", "itertools.islice", "itertools.starmap"});
}

}  // namespace

// The step of a `for` that a block begins with.
const Statement* step_of(const Block& block) {
  const auto next = std::find_if(block.statements.begin(), block.statements.end(), [](const Statement& s) {
    return s.callee == "builtins.next" && s.callee_value == kNone && s.args.size() == 1;
  });
  return next == block.statements.end() ? nullptr : &*next;
}

// An iterator of its own over what a container holds, or over numbers.
Abstract Interpreter::own_iterator(const Abstract& value, const CallSite& site) {
  const bool whole = std::all_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
    return object(id).kind == ObjectKind::kContainer && !ends_.contains(id);
  });
  if (!whole) return value;
  const ObjectId made = make_object(ObjectKind::kContainer, site.where, site.context, 0);
  write_field(made, kAnyKey, elements_of(value), false);
  Abstract iterator = of_object(made);
  iterator.nodes = value.nodes;
  return iterator;
}

void Interpreter::note_iterator(const Abstract& made, const CallSite& site) {
  for (const ObjectId id : objects_of_kind(made, ObjectKind::kContainer)) {
    const auto [mark, fresh] = ends_.try_emplace(id, -1);
    if (fresh) mark->second = make_object(ObjectKind::kScope, object(id).made, object(id).context, 8'000'000 + id);
    // In a loop one object stands for the iterators of all turns.
    const bool one = made.objects.size() == 1 && !turns(site.where.function, site.where.block);
    write_field(mark->second, key_of(kEnded), constant(Json(false)), one || fresh);
  }
}

void Interpreter::note_end(const Abstract& iterated) {
  for (const ObjectId id : iterated.objects) {
    if (const auto mark = ends_.find(id); mark != ends_.end())
      write_field(mark->second, key_of(kEnded), constant(Json(true)), iterated.objects.size() == 1 && !iterated.open);
  }
}

// Whether it surely gives nothing more.
bool Interpreter::at_end(const Abstract& iterated) {
  if (iterated.open || iterated.objects.empty()) return false;
  return std::all_of(iterated.objects.begin(), iterated.objects.end(), [&](ObjectId id) {
    if (object(id).kind == ObjectKind::kGenerator) return body_has_ended(id);
    const auto mark = ends_.find(id);
    return mark != ends_.end() && truth(read_field(mark->second, key_of(kEnded))) == true;
  });
}

// tuple(it), sum(it): from then on there is nothing left in it.
void Interpreter::take_from_iterators(const std::string& callee, std::vector<Abstract>& args, const CallSite& site) {
  const bool called = site.statement->callee_value != kNone && !in_native(site.where.function);
  if (!called || ends_.empty() || !takes_all(callee) || args.size() != 1) return;
  if (at_end(args[0]))
    args[0] = of_object(make_object(ObjectKind::kContainer, site.where, site.context, 6'000'000));
  else
    note_end(args[0]);
}

Abstract Interpreter::made_by_call(const std::string& callee, Abstract result, const CallSite& site) {
  const bool called = site.statement->callee_value != kNone && !in_native(site.where.function);
  if (!called || (callee != "builtins.iter" && !makes_iterator(callee))) return result;
  if (callee == "builtins.iter") {
    if (site.statement->args.size() != 1) return result;
    result = own_iterator(result, site);
  }
  if (callee != "builtins.iter" || !ends_.contains(result.objects.empty() ? -1 : result.objects.front()))
    note_iterator(result, site);
  return result;
}

// The header of a `for` over nothing, or over what an earlier one has come to the end of.
bool Interpreter::never_turns(Frame& frame, const Block& block) {
  if (block.statements.empty()) return false;
  if (in_native(frame.id)) {
    const Statement& next = block.statements.back();
    return next.callee == "builtins.next" && next.args.size() == 1 && known_empty(value(frame, next.args[0]));
  }
  const Statement* step = step_of(block);
  return step != nullptr && at_end(value(frame, step->args[0]));
}

// A loop is left by its header.
void Interpreter::leave_loop(Frame& frame, const Block& block) {
  if (ends_.empty() || in_native(frame.id)) return;
  if (const Statement* step = step_of(block)) note_end(value(frame, step->args[0]));
}

}  // namespace kernel_audit::analysis::facts
