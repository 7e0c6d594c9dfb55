// Shapes of parts of tensors, and of tensors that repeat others, for HostNumbers.
#include <algorithm>
#include <cmath>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;

namespace {

// Counted from the end where it is negative; nothing where there is no such axis.
std::optional<std::size_t> axis_of(std::optional<double> number, const HostNumbers::Shape& shape) {
  if (!number) return std::nullopt;
  const double at = *number < 0 ? *number + static_cast<double>(shape.size()) : *number;
  if (at < 0 || at >= static_cast<double>(shape.size())) return std::nullopt;
  return static_cast<std::size_t>(at);
}

}  // namespace

// x[0], x[:, a:b], x[::2] of a tensor, and one of the pieces that chunk and split make.
std::optional<HostNumbers::Shape> HostNumbers::shape_of_element(const Statement& load, int frame, int depth) {
  if (load.location.base == kNone || load.location.key == kNone) return std::nullopt;
  const Made container = origin(load.location.base, frame, depth + 1);
  if (container.statement != nullptr) {
    const std::string name = last_part(container.statement->callee);
    if (one_of(name, {"chunk", "split"})) return shape_of_piece(*container.statement, name, container.frame, depth + 1);
    if (one_of(container.statement->callee, {"builtins.list", "builtins.tuple", "builtins.dict"})) return std::nullopt;
  }
  const auto whole = shape(load.location.base, frame, depth + 1);
  if (!whole) return std::nullopt;
  const Made key = origin(load.location.key, frame, depth + 1);
  std::vector<Id> keys{load.location.key};
  int at = frame;
  if (key.statement != nullptr && key.statement->callee == "builtins.tuple") {
    keys.assign(key.statement->args.begin(), key.statement->args.end());
    at = key.frame;
  }
  if (keys.size() > whole->size()) return std::nullopt;
  Shape part;
  for (std::size_t axis = 0; axis < whole->size(); ++axis) {
    if (axis >= keys.size()) {
      part.push_back((*whole)[axis]);
      continue;
    }
    const Made each = origin(keys[axis], at, depth + 1);
    if (each.statement != nullptr && each.statement->callee == "builtins.slice") {
      const auto kept = elements_of_slice(*each.statement, (*whole)[axis], each.frame, depth + 1);
      if (!kept) return std::nullopt;
      part.push_back(*kept);
    } else if (!of(keys[axis], at, depth + 1).number) {
      return std::nullopt;
    }
  }
  return part;
}

// narrow, select, and the first of the pieces that chunk and split make, which is the largest.
std::optional<HostNumbers::Shape> HostNumbers::shape_of_piece(const Statement& call, const std::string& name, int frame,
                                                              int depth) {
  const bool function = call.receiver == kNone;  // torch.chunk(x, 2)
  std::vector<Id> args = call.args;
  if (function && args.empty()) return std::nullopt;
  auto known = shape(function ? args[0] : call.receiver, frame, depth + 1);
  if (!known) return std::nullopt;
  if (function) args.erase(args.begin());
  const auto number = [&](std::size_t place, const char* keyword) -> std::optional<double> {
    for (const auto& [given, value] : call.keywords) {
      if (given == keyword) return of(value, frame, depth + 1).number;
    }
    return place < args.size() ? of(args[place], frame, depth + 1).number : std::nullopt;
  };
  const bool pieces = name == "chunk" || name == "split";
  const bool says_axis = !pieces || args.size() > 1 || argument(call, 99, "dim") != kNone;
  const auto axis = axis_of(says_axis ? number(pieces ? 1 : 0, "dim") : std::optional(0.0), *known);
  if (!axis) return std::nullopt;
  if (name == "select") {
    known->erase(known->begin() + static_cast<std::ptrdiff_t>(*axis));
    return known;
  }
  const auto amount = pieces ? number(0, name == "chunk" ? "chunks" : "split_size_or_sections") : number(2, "length");
  if (!amount || *amount < 1) return std::nullopt;
  double& size = (*known)[*axis];
  size = name == "chunk" ? std::ceil(size / *amount) : std::min(size, *amount);
  return known;
}

// expand, repeat and their like, and what joins tensors.
std::optional<HostNumbers::Shape> HostNumbers::shape_of_repeat(const Statement& call, const std::string& name,
                                                               int frame, int depth) {
  const bool function = call.receiver == kNone;
  std::vector<Id> args = call.args;
  if (one_of(name, {"cat", "concat", "concatenate", "stack", "vstack"})) {
    const Made list = args.empty() ? Made{} : origin(args[0], frame, depth + 1);
    if (list.statement == nullptr || list.statement->args.empty()) return std::nullopt;
    auto joined = shape(list.statement->args[0], list.frame, depth + 1);
    if (!joined) return std::nullopt;
    const Id given = argument(call, 1, "dim");
    const auto dim = given == kNone ? std::optional(0.0) : of(given, frame, depth + 1).number;
    const auto parts = static_cast<double>(list.statement->args.size());
    if (name == "stack") joined->insert(joined->begin(), 1.0);
    const auto axis = axis_of(name == "stack" ? std::optional(0.0) : dim, *joined);
    if (!axis) return std::nullopt;
    for (const Id each : list.statement->args) {  // all alike
      if (shape(each, list.frame, depth + 1) != shape(list.statement->args[0], list.frame, depth + 1))
        return std::nullopt;
    }
    (*joined)[*axis] *= parts;
    return joined;
  }
  if (!one_of(name, {"expand", "expand_as", "broadcast_to", "repeat", "tile", "repeat_interleave"}) ||
      (function && args.empty()))
    return std::nullopt;
  auto before = shape(function ? args[0] : call.receiver, frame, depth + 1);
  if (function) args.erase(args.begin());
  if (name == "expand_as") return args.empty() ? std::nullopt : shape(args[0], frame, depth + 1);
  if (name == "repeat_interleave") {
    const Id times = argument(call, function ? 1 : 0, "repeats"), along = argument(call, function ? 2 : 1, "dim");
    const auto by = times == kNone ? std::nullopt : of(times, frame, depth + 1).number;
    const auto axis = along == kNone || !before ? std::nullopt : axis_of(of(along, frame, depth + 1).number, *before);
    if (!by || !axis) return std::nullopt;
    (*before)[*axis] *= *by;
    return before;
  }
  auto asked = sizes(args, frame, depth);
  if (!asked || !before)
    return asked && std::find(asked->begin(), asked->end(), -1.0) == asked->end() &&
                   (name == "expand" || name == "broadcast_to")
               ? asked
               : std::nullopt;
  if (asked->size() < before->size()) asked->insert(asked->begin(), before->size() - asked->size(), 1.0);
  const std::size_t added = asked->size() - before->size();
  for (std::size_t i = 0; i < asked->size(); ++i) {
    const double own = i < added ? 1.0 : (*before)[i - added];
    double& size = (*asked)[i];
    size = name == "repeat" || name == "tile" ? size * own : size < 0 ? own : size;
  }
  return asked;
}

}  // namespace kernel_audit::analysis::rules
