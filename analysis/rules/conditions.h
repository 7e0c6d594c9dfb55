// What a value inside one function is computed from, as written: names that are called or read, variables, numbers.
// Rules ask it of conditions and of settings, where what is compared matters more than what it holds.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

struct Slice {
  std::set<facts::Id> values;                       // itself included
  std::set<facts::Id> storages;                     // read on the way
  std::set<std::string> names;                      // canonical callees, symbols and attributes
  std::vector<double> numbers;                      // folded, the value's own included
  std::vector<const facts::Statement*> statements;  // that made them

  bool names_any(std::initializer_list<std::string_view> last_parts) const;
};

// Followed through local variables, attributes, containers and calls, within the function and module level alone.
const Slice& slice_of(const facts::Model& model, facts::Id function, facts::Id value);
const Slice& slice_of(const facts::Model& model, const facts::Guard& guard);

// Conditions that decide which of several values a value is: of conditional expressions, of stores to a variable. `in`
// is the function of a condition, `block` the one that it ends.
struct Choice {
  facts::Id in = facts::kNone, block = facts::kNone;
};
std::vector<Choice> choices_behind(const facts::Model& model, facts::Id function, facts::Id value, int depth = 0);

// Whether it asks if a graph is being captured.
bool asks_capture(const Slice& slice);

// Whether it asks for a size: shape, numel, len.
bool asks_size(const Slice& slice);

// Whether a guard compares the size of something that the call was handed.
bool decides_by_size(const facts::Model& model, const facts::Guard& guard);
// Whether what is returned has no elements, because something that the call was handed has none: `if (n == 0) return
// y;`.
bool holds_nothing(const facts::Model& model, const facts::Alternative& way);
// Whether each kernel that makes the same return's other values has a guard that `wanted` accepts, the one that writes
// it where that is known, and not those that make what it reads; or some have, and one of them runs on each way else.
bool launches_guarded(const facts::Model& model, const facts::Alternative& way,
                      const std::function<bool(const facts::Guard&, const facts::Node&)>& wanted);
// Whether what is returned has no elements: that is said, or all kernels that would write it run unless it has none.
bool has_no_elements(const facts::Model& model, const facts::Alternative& way);
// Whether a guard lets all but empty tensors reach a place: `if (n > 0)`.
bool unless_empty(const facts::Model& model, const facts::Guard& guard, const facts::StatementRef& where,
                  facts::ContextId context);
// Whether it decides by what a tensor argument of the call holds: not by its size, and not by a number that the
// caller passes as a setting.
bool decides_by_contents(const facts::Model& model, const facts::Guard& guard);

// The side of the guard on which a place lies: when its condition holds, when not, or neither.
std::optional<bool> side_of(const facts::Model& model, const facts::Guard& guard, const facts::StatementRef& place,
                            facts::ContextId context);

// Whether another way of returning computes something on the other side of the guard, or past both.
bool leaves_another_way(const facts::Model& model, const facts::Guard& guard, const facts::StatementRef& where,
                        facts::ContextId context);

// Framework compute, kernels or vendor calls take part in it, and it is not what an earlier call left.
bool computes(const facts::Model& model, const facts::Alternative& way);

}  // namespace kernel_audit::analysis::rules
