// What the rules over single operator calls share: how a call is named, and how much of the reference's work a set of
// calls is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filters/evidence.h"
#include "filters/presets.h"

namespace kernel_audit::filters {

// "call 3 aten::relu (act, ReLU)": operator, position and module path.
inline std::string call_name(const OperatorCall& call) {
  std::string where = call.module;
  if (!call.module_type.empty()) where += (where.empty() ? "" : ", ") + call.module_type;
  return "call " + std::to_string(call.position) + " " + call.op + (where.empty() ? "" : " (" + where + ")");
}

// At most `limit` names, then how many more.
inline std::string call_names(const std::vector<const OperatorCall*>& calls, std::size_t limit = 6) {
  std::string text;
  for (std::size_t i = 0; i < calls.size() && i < limit; ++i) text += (i > 0 ? ", " : "") + call_name(*calls[i]);
  if (calls.size() > limit) text += " and " + std::to_string(calls.size() - limit) + " more";
  return text;
}

// Redundant by a tiny offset, as before a root or a division: it is there for values that the inputs seldom or never
// bring about.
inline bool is_guard(const OperatorCall& call, const Policy& policy) {
  if (call.verdict != call_verdict::kRedundant || call.why != "identity") return false;
  const auto largest = threshold(policy, "filters.redundant-operation.guard_offset");
  return largest && call.offset && *call.offset > 0 && *call.offset <= *largest;
}

struct WorkShare {
  double share = 0;
  const char* of = "FLOP";  // or "bytes" where a call has no formula for FLOPs
};

// Share of `calls` in the work of all; nothing when there is no work. Calls that draw random numbers are work of the
// whole (recurrent layers, attention), and never of what might be left out (a dropout that is off).
inline std::optional<WorkShare> share_of(const TaskEvidence& evidence, const std::vector<const OperatorCall*>& calls) {
  double flops = 0, bytes = 0, all_flops = 0, all_bytes = 0;
  bool formulas = true;
  for (const OperatorCall& call : evidence.calls) {
    if (call.kind != call_kind::kCompute && call.kind != call_kind::kRandom) continue;
    if (!call.flops) formulas = false;
    all_flops += call.flops.value_or(0);
    all_bytes += static_cast<double>(call.bytes_read + call.bytes_written);
  }
  for (const OperatorCall* call : calls) {
    if (call->kind != call_kind::kCompute) continue;
    flops += call->flops.value_or(0);
    bytes += static_cast<double>(call->bytes_read + call->bytes_written);
  }
  if (formulas && all_flops > 0) return WorkShare{flops / all_flops, "FLOP"};
  if (all_bytes > 0) return WorkShare{bytes / all_bytes, "bytes"};
  return std::nullopt;
}

}  // namespace kernel_audit::filters
