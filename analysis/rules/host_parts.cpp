// Slices of tensors, for HostNumbers: which part of another tensor one is, and how large.
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
  if (!whole || !axis || *axis < 0 || *axis >= static_cast<double>(whole->size())) return std::nullopt;
  for (double before = 0; before < *axis; ++before)
    part.axes.push_back({0, (*whole)[static_cast<std::size_t>(before)], 1, false});
  const double size = (*whole)[static_cast<std::size_t>(*axis)];
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

// x.repeat(2, 1), x.repeat_interleave(2, dim=0)
std::optional<HostNumbers::Shape> HostNumbers::shape_of_repeated(const Statement& call, int frame, int depth) {
  auto known = shape(call.receiver, frame, depth + 1);
  if (!known) return std::nullopt;
  if (last_part(call.callee) == "repeat") {
    const auto times = sizes(call.args, frame, depth + 1);
    if (!times || times->size() != known->size()) return std::nullopt;
    for (std::size_t axis = 0; axis < known->size(); ++axis) (*known)[axis] *= (*times)[axis];
    return known;
  }
  const auto times = of(argument(call, 0, "repeats"), frame, depth + 1).number;
  const auto axis = of(argument(call, 1, "dim"), frame, depth + 1).number;
  if (!times || !axis || *axis < 0 || *axis >= static_cast<double>(known->size())) return std::nullopt;
  (*known)[static_cast<std::size_t>(*axis)] *= *times;
  return known;
}

// cat([a, b], dim=0) of parts that stand there.
std::optional<HostNumbers::Shape> HostNumbers::shape_of_joined(const Statement& call, int frame, int depth) {
  const Made list = origin(call.args[0], frame, depth + 1);
  const Id given = argument(call, 1, "dim");
  const auto axis = given == kNone ? std::optional(0.0) : of(given, frame, depth + 1).number;
  if (list.statement == nullptr || !one_of(list.statement->callee, {"builtins.list", "builtins.tuple"}) ||
      grown(*list.statement) || !axis || *axis < 0)
    return std::nullopt;
  std::optional<Shape> all;
  for (const Id each : list.statement->args) {
    const auto one = shape(each, list.frame, depth + 1);
    if (!one || *axis >= static_cast<double>(one->size()) || (all && all->size() != one->size())) return std::nullopt;
    if (all) {
      (*all)[static_cast<std::size_t>(*axis)] += (*one)[static_cast<std::size_t>(*axis)];
    } else {
      all = one;
    }
  }
  return all;
}

}  // namespace kernel_audit::analysis::rules
