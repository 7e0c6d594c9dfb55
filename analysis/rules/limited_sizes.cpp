#include "analysis/rules/limited_sizes.h"

#include <algorithm>
#include <set>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/makers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Alternative;
using facts::Guard;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr double kTiny = 8;

const Statement* test_of(const Model& model, const Guard& guard) {
  const Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  return maker(model, guard.function, condition);
}

// The side on which a kernel runs for one size alone.
bool for_one_size(const Model& model, const Guard& guard, bool side) {
  const Statement* test = test_of(model, guard);
  return test != nullptr && one_of(test->callee, {side ? "operator.eq" : "operator.ne",
                                                  side ? "operator.contains" : "operator.not_contains"});
}

// Blocks of the guard's function from which kernels are come to.
std::set<Id> blocks_towards(const Model& model, const Guard& guard, const std::vector<const facts::Node*>& launches) {
  std::set<Id> blocks;
  for (const facts::Node* launch : launches) {
    for (const auto& [where, context] : facts::call_chain(model.provenance(), launch->where, launch->context)) {
      if (where.function == guard.function) blocks.insert(where.block);
    }
  }
  return blocks;
}

// Whether a return gives what the way is made of, or nothing at all: then the caller has it.
bool returns_it(const Model& model, Id function, const Statement& end, const Alternative& way) {
  if (end.value == kNone) return true;
  const facts::StatementRef& made = model.provenance().at(way.node).where;
  const Statement* allocation = model.statement(made);
  const auto& parameters = model.function(function).parameters;
  const auto all = makers(model, function, end.value);
  return std::any_of(all.begin(), all.end(), [&](const Statement* each) {
    const bool copied = one_of(last_part(each->callee), {"clone", "contiguous", "detach"});
    const bool given = each->kind == StatementKind::kLoad &&
                       std::any_of(parameters.begin(), parameters.end(),
                                   [&](const auto& one) { return one.storage == each->location.storage; });
    return each == allocation || (each->target != kNone && each->target == made.function) ||
           ((given || copied) && way.is_argument);
  });
}

// Whether the other side of a guard comes to the end of its function by no kernel, and gives back what the way is.
bool other_side_is(const Model& model, const Guard& guard, bool side, const Alternative& way,
                   const std::set<Id>& launching) {
  const auto& blocks = model.function(guard.function).blocks;
  std::vector<Id> todo;
  for (const facts::Edge& edge : blocks[static_cast<std::size_t>(guard.block)].successors) {
    if (edge.kind == (side ? facts::EdgeKind::kFalse : facts::EdgeKind::kTrue)) todo.push_back(edge.to);
  }
  std::set<Id> seen;
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (launching.contains(at) || !seen.insert(at).second) continue;
    const facts::Block& block = blocks[static_cast<std::size_t>(at)];
    const Statement* last = block.statements.empty() ? nullptr : &block.statements.back();
    if (last != nullptr && last->kind == StatementKind::kRaise) continue;
    if (last != nullptr && last->kind == StatementKind::kReturn) {
      if (returns_it(model, guard.function, *last, way)) return true;
      continue;
    }
    if (block.successors.empty()) return true;
    for (const facts::Edge& edge : block.successors) {
      if (edge.kind != facts::EdgeKind::kException) todo.push_back(edge.to);
    }
  }
  return false;
}

// Whether a launch is handed the buffer that was made there.
bool is_handed(const Model& model, const facts::Node& launch, const facts::StatementRef& made) {
  const auto given = model.run().launch_arguments.find({launch.where, launch.context});
  if (given == model.run().launch_arguments.end()) return false;
  return std::any_of(given->second.begin(), given->second.end(), [&](const facts::Abstract& argument) {
    return std::any_of(argument.objects.begin(), argument.objects.end(),
                       [&](auto id) { return model.run().object(id).made == made; });
  });
}

// Kernels that make the other values of the same return: those that are handed its buffer, where some are.
std::vector<const facts::Node*> launches_beside(const Model& model, const Alternative& way) {
  std::vector<const facts::Node*> launches, handed;
  for (const Alternative& other : model.alternatives()) {
    if (!other.same_value(way)) continue;
    for (const facts::NodeId id : other.launches) {
      const facts::Node& launch = model.provenance().at(id);
      launches.push_back(&launch);
      if (is_handed(model, launch, model.provenance().at(way.node).where)) handed.push_back(&launch);
    }
  }
  return handed.empty() ? launches : handed;
}

// Whether it asks how large a tensor is, and not how many of something there are.
bool asks_tensor(const Slice& slice) {
  return slice.names_any({"shape", "size", "sizes", "numel", "nelement"}) && !slice.names_any({"len"});
}

}  // namespace

bool beyond_all_sizes(const Model& model, const Slice& slice) {
  constexpr double kNoSize = 1e12, kNoBits = 40;
  const auto shifted = [&](const Statement* each) {
    const Json* by =
        each->callee == "operator.lshift" && each->args.size() == 2 ? constant_of(model, each->args[1]) : nullptr;
    return by != nullptr && by->is_number() && by->get<double>() >= kNoBits;
  };
  return slice.names_any({"float", "inf", "maxsize"}) ||
         std::any_of(slice.numbers.begin(), slice.numbers.end(), [](double number) { return number >= kNoSize; }) ||
         std::any_of(slice.statements.begin(), slice.statements.end(), shifted);
}

bool large_number(const Slice& slice) {
  return std::any_of(slice.numbers.begin(), slice.numbers.end(), [](double number) { return number > kTiny; });
}

bool asks_whether_none(const Model& model, const Guard& guard) {
  const Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  const Statement* test = maker(model, guard.function, condition);
  if (test == nullptr || !one_of(test->callee, {"operator.eq", "operator.ne"})) return false;
  return std::any_of(test->args.begin(), test->args.end(), [&](Id arg) {
    const Json* number = constant_of(model, arg);
    return number != nullptr && number->is_number() && number->get<double>() == 0;
  });
}

bool up_to_some_size(const Model& model, const Guard& guard, bool side) {
  const Statement* test = test_of(model, guard);
  if (test == nullptr || test->args.size() != 2) return false;
  const bool first = asks_size(slice_of(model, guard.function, test->args[0]));
  if (first == asks_size(slice_of(model, guard.function, test->args[1]))) return false;
  const bool greater = one_of(test->callee, {"operator.gt", "operator.ge"});
  if (!greater && !one_of(test->callee, {"operator.lt", "operator.le"})) return false;
  return side != (greater == first);
}

std::vector<LimitedSize> limited_sizes(const Model& model) {
  std::vector<LimitedSize> found;
  for (const Alternative& way : model.alternatives()) {
    const NodeKind kind = model.provenance().at(way.node).kind;
    const bool idle = kind == NodeKind::kAllocation || kind == NodeKind::kConstant || kind == NodeKind::kArgument;
    const auto launches = idle && way.unknown.empty() ? launches_beside(model, way) : std::vector<const facts::Node*>{};
    if (launches.empty()) continue;
    for (const Guard& guard : model.guards_of(launches.front()->where, launches.front()->context)) {
      const Slice& slice = slice_of(model, guard);
      if (!decides_by_size(model, guard) || !asks_tensor(slice) || asks_whether_none(model, guard) ||
          !large_number(slice) || beyond_all_sizes(model, slice))
        continue;
      const auto side = side_of(model, guard, launches.front()->where, launches.front()->context);
      if (!side || (!up_to_some_size(model, guard, *side) && !for_one_size(model, guard, *side))) continue;
      const bool same = std::all_of(launches.begin(), launches.end(), [&](const facts::Node* each) {
        return side_of(model, guard, each->where, each->context) == side;
      });
      if (same && other_side_is(model, guard, *side, way, blocks_towards(model, guard, launches)))
        found.push_back({guard, way, launches.front()->where});
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
