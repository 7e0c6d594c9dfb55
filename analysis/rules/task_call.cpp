#include "analysis/rules/task_call.h"

#include <cmath>
#include <vector>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

// The elements of the only list that a function returns.
std::optional<std::vector<Id>> listed(const Model& model, Id function) {
  std::optional<std::vector<Id>> items;
  if (function == kNone) return items;
  for (const facts::Block& block : model.function(function).blocks) {
    for (const Statement& returned : block.statements) {
      if (returned.kind != StatementKind::kReturn) continue;
      if (items) return std::nullopt;
      for (const Statement& list : block.statements) {
        if (list.result == returned.value && list.callee == "builtins.list" && !list.star_args &&
            list.callee_value == kNone)
          items = list.args;
      }
      if (!items) return std::nullopt;
    }
  }
  return items;
}

std::optional<Json> plain(const Model& model, HostNumbers& numbers, Id value, int frame) {
  if (const Json* constant = constant_of(model, value); constant != nullptr) {
    const bool simple = constant->is_number() || constant->is_boolean() || constant->is_string() || constant->is_null();
    return simple ? std::optional(*constant) : std::nullopt;
  }
  const auto number = numbers.number(value, frame);
  if (!number || std::floor(*number) != *number || std::abs(*number) > 1e15) return std::nullopt;
  return Json(static_cast<std::int64_t>(*number));
}

}  // namespace

std::optional<facts::TaskCall> task_call(const Model& model) {
  constexpr std::size_t kMostInputs = 16;
  HostNumbers numbers(model);
  if (!numbers.knows_inputs()) return std::nullopt;
  facts::TaskCall call;
  const Id inputs = numbers.get_inputs(), settings = numbers.get_init_inputs();
  for (std::size_t i = 0; i < kMostInputs; ++i) {
    auto& shape = call.shapes.emplace_back();
    const auto known = numbers.input(i);
    if (!known || known->empty()) continue;
    shape.emplace();
    for (const double size : *known) shape->push_back(static_cast<std::int64_t>(size));
  }
  if (const auto items = listed(model, inputs)) {
    for (const Id item : *items) call.numbers.push_back(plain(model, numbers, item, numbers.frame_by_caller(inputs)));
  }
  if (const auto items = listed(model, settings)) {
    call.all_settings = true;
    for (const Id item : *items)
      call.settings.push_back(plain(model, numbers, item, numbers.frame_by_caller(settings)));
  }
  return call;
}

}  // namespace kernel_audit::analysis::rules
