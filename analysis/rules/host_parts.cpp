// Parts of tensors, and tensors that repeat others, for HostNumbers: which part of another tensor one is, and how
// large.
#include <algorithm>
#include <cmath>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

// Counted from the end where it is negative; nothing where there is no such axis.
std::optional<std::size_t> axis_of(std::optional<double> number, const HostNumbers::Shape& shape) {
  if (!number) return std::nullopt;
  const double at = *number < 0 ? *number + static_cast<double>(shape.size()) : *number;
  if (at < 0 || at >= static_cast<double>(shape.size())) return std::nullopt;
  return static_cast<std::size_t>(at);
}

double elements_of(const HostNumbers::Span& span) {
  return std::max(0.0, std::ceil((span.end - span.begin) / span.step));
}

}  // namespace

// a:b:c of an axis of that size.
std::optional<HostNumbers::Span> HostNumbers::span_of_slice(const std::vector<Id>& bounds, double size, int frame,
                                                            int depth) {
  const auto bound = [&](std::size_t i, double otherwise) -> std::optional<double> {
    const Json* given = i < bounds.size() ? constant_of(model_, bounds[i]) : nullptr;
    const bool left_out = i >= bounds.size() || bounds[i] == kNone || (given != nullptr && given->is_null());
    return left_out ? std::optional(otherwise) : of(bounds[i], frame, depth + 1).number;
  };
  const auto begin = bound(0, 0), end = bound(1, size), step = bound(2, 1);
  if (!begin || !end || !step || *step < 1) return std::nullopt;
  const auto place = [&](double at) { return std::clamp(at < 0 ? at + size : at, 0.0, size); };
  return Span{place(*begin), place(*end), *step, false};
}

// x[2:, 0] by its indices.
bool HostNumbers::index_axes(const std::vector<Id>& indices, const Shape& whole, Part& part, int depth) {
  std::size_t axis = 0;
  for (const Id index : indices) {
    if (axis >= whole.size()) return false;
    const Made key = origin(index, part.frame, depth + 1);
    if (key.statement != nullptr && key.statement->callee == "builtins.slice") {
      const auto span = span_of_slice(key.statement->args, whole[axis], key.frame, depth);
      if (!span) return false;
      part.axes.push_back(*span);
    } else {
      const Value at = of(index, part.frame, depth + 1);
      if (at.list || !at.number) return false;
      const double place = *at.number < 0 ? *at.number + whole[axis] : *at.number;
      part.axes.push_back({place, place + 1, 1, true});
    }
    ++axis;
  }
  return true;
}

std::optional<HostNumbers::Part> HostNumbers::part(Id tensor, int frame, int depth) {
  if (tensor == kNone || frame < 0 || depth > kDeepestPart) return std::nullopt;
  const Made made = origin(tensor, frame, depth + 1);
  if (made.statement == nullptr) return std::nullopt;
  const Statement& s = *made.statement;
  Part part{kNone, made.frame, {}};
  if (s.kind == StatementKind::kLoad && s.location.element) {
    part.whole = s.location.base;
    const auto whole = shape(part.whole, made.frame, depth + 1);
    const Made key = origin(s.location.key, made.frame, depth + 1);
    const bool several = key.statement != nullptr && key.statement->callee == "builtins.tuple";
    if (several && key.frame != made.frame) return std::nullopt;
    const std::vector<Id> indices = several ? std::vector<Id>(key.statement->args) : std::vector<Id>{s.location.key};
    return whole && index_axes(indices, *whole, part, depth) ? std::optional(std::move(part)) : std::nullopt;
  }
  const std::string last = last_part(s.callee);
  if (s.kind == StatementKind::kCall && s.receiver != kNone &&
      one_of(last, {"contiguous", "clone", "detach", "data_ptr"}))
    return this->part(s.receiver, made.frame, depth + 1);
  if (s.kind != StatementKind::kCall || s.target != kNone || s.receiver == kNone || s.args.empty() ||
      !one_of(last, {"narrow", "slice", "select"}))
    return std::nullopt;
  part.whole = s.receiver;
  const auto whole = shape(part.whole, made.frame, depth + 1);
  const auto axis = of(s.args[0], made.frame, depth + 1).number;
  const auto at = whole ? axis_of(axis, *whole) : std::nullopt;
  if (!at) return std::nullopt;
  for (std::size_t before = 0; before < *at; ++before) part.axes.push_back({0, (*whole)[before], 1, false});
  const double size = (*whole)[*at];
  const std::vector<Id> given(s.args.begin() + 1, s.args.end());
  if (last == "select") return index_axes(given, {size}, part, depth) ? std::optional(std::move(part)) : std::nullopt;
  auto span = span_of_slice(last == "slice" ? given : std::vector<Id>{s.args[1]}, size, made.frame, depth);
  if (span && last == "narrow") {
    const auto length = of(s.args[2], made.frame, depth + 1).number;
    if (!length) return std::nullopt;
    span->end = span->begin + *length;
  }
  if (!span) return std::nullopt;
  part.axes.push_back(*span);
  return part;
}

std::optional<HostNumbers::Shape> HostNumbers::shape_of_part(Id tensor, int frame, int depth) {
  const auto taken = part(tensor, frame, depth + 1);
  const auto whole = taken ? shape(taken->whole, taken->frame, depth + 1) : std::nullopt;
  if (!whole) return std::nullopt;
  Shape left;
  for (std::size_t axis = 0; axis < whole->size(); ++axis) {
    if (axis >= taken->axes.size()) left.push_back((*whole)[axis]);
    if (axis < taken->axes.size() && !taken->axes[axis].single) left.push_back(elements_of(taken->axes[axis]));
  }
  return left;
}

// cat([a, b], dim=0) of parts that stand there.
std::optional<HostNumbers::Shape> HostNumbers::shape_of_joined(const Statement& call, const std::string& name,
                                                               int frame, int depth) {
  const Made list = origin(call.args[0], frame, depth + 1);
  const Id given = argument(call, 1, "dim");
  const bool stacks = name == "stack";
  const auto axis = given == kNone || name == "vstack" ? std::optional(0.0) : of(given, frame, depth + 1).number;
  if (list.statement == nullptr || !one_of(list.statement->callee, {"builtins.list", "builtins.tuple"}) ||
      grown(*list.statement) || !axis || *axis < 0)
    return std::nullopt;
  std::optional<Shape> all;
  for (const Id each : list.statement->args) {
    auto one = shape(each, list.frame, depth + 1);
    if (one && stacks && *axis <= static_cast<double>(one->size()))
      one->insert(one->begin() + static_cast<std::ptrdiff_t>(*axis), 1.0);
    if (!one || *axis >= static_cast<double>(one->size()) || (all && all->size() != one->size())) return std::nullopt;
    if (all) {
      (*all)[static_cast<std::size_t>(*axis)] += (*one)[static_cast<std::size_t>(*axis)];
    } else {
      all = one;
    }
  }
  return all;
}

// x[0], x[:, a:b], x[::2] of a tensor, and one of the pieces that chunk and split make.
std::optional<HostNumbers::Shape> HostNumbers::shape_of_element(const Statement& load, int frame, int depth) {
  const Made container = origin(load.location.base, frame, depth + 1);
  if (container.statement != nullptr) {
    const std::string name = last_part(container.statement->callee);
    if (one_of(name, {"chunk", "split"})) return shape_of_piece(*container.statement, name, container.frame, depth + 1);
  }
  return shape_of_part(load.result, frame, depth);
}

// The first of the pieces that chunk and split make, which is the largest.
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
  const bool says_axis = args.size() > 1 || argument(call, 99, "dim") != kNone;
  const auto axis = axis_of(says_axis ? number(1, "dim") : std::optional(0.0), *known);
  if (!axis) return std::nullopt;
  const auto amount = number(0, name == "chunk" ? "chunks" : "split_size_or_sections");
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
  if (one_of(name, {"cat", "concat", "concatenate", "stack", "vstack"}) && function && !args.empty())
    return shape_of_joined(call, name, frame, depth);
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
