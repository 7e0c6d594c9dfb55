// EvalEvidence as JSON, and back with every field checked: unknown enumerators, negative counts, wrong
// types and absurd sizes are Errors, whatever wrote the text.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "auditor/core/names.h"
#include "eval/evidence.h"

namespace kernel_audit::eval {
namespace {

constexpr Names<Party, 3> kParties = {
    {{Party::kCandidate, "candidate"}, {Party::kBaseline, "baseline"}, {Party::kNull, "null"}}};
constexpr Names<CallMode, 3> kModes = {
    {{CallMode::kSingle, "single"}, {CallMode::kWindow, "window"}, {CallMode::kGraph, "graph"}}};
constexpr Names<CallStatus, 7> kStatuses = {{{CallStatus::kOk, "ok"},
                                             {CallStatus::kException, "exception"},
                                             {CallStatus::kShape, "shape"},
                                             {CallStatus::kDtype, "dtype"},
                                             {CallStatus::kCount, "count"},
                                             {CallStatus::kNotTensor, "not-tensor"},
                                             {CallStatus::kDevice, "device"}}};
constexpr std::size_t kMaxItems = 1'000'000;  // of any array; more is no evidence of ours

// Thrown inside this file only; read_json-like wrapping below turns it into an Error.
[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

template <typename Enum, std::size_t N>
Enum enum_at(const Json& json, const char* field, const Names<Enum, N>& names) {
  const auto text = json.at(field).get<std::string>();
  const auto value = value_of(names, text);
  if (!value) refuse(std::string("field \"") + field + "\" has no value \"" + text.substr(0, 60) + "\"");
  return *value;
}

template <typename Integer>
Integer integer_at(const Json& json, const char* field, std::int64_t low, std::int64_t high) {
  const Json& value = json.at(field);
  if (!value.is_number_integer()) refuse(std::string("field \"") + field + "\" is not an integer");
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)) {
    refuse(std::string("field \"") + field + "\" is too large");
  }
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) refuse(std::string("field \"") + field + "\" is out of range");
  return static_cast<Integer>(number);
}

constexpr std::int64_t kIntMax = std::numeric_limits<int>::max();
constexpr std::int64_t kCountMax = std::numeric_limits<std::int64_t>::max();

int int_at(const Json& json, const char* field) { return integer_at<int>(json, field, 0, kIntMax); }
std::uint64_t count_at(const Json& json, const char* field) {
  return integer_at<std::uint64_t>(json, field, 0, kCountMax);
}

bool bool_at(const Json& json, const char* field) {
  const Json& value = json.at(field);
  if (!value.is_boolean()) refuse(std::string("field \"") + field + "\" is not a boolean");
  return value.get<bool>();
}

double finite_at(const Json& json, const char* field) {
  const Json& value = json.at(field);
  if (!value.is_number()) refuse(std::string("field \"") + field + "\" is not a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) refuse(std::string("field \"") + field + "\" is not finite");
  return number;
}

// Errors of outputs can be infinite or NaN; JSON has no such numbers, null stands for them.
Json error_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double error_at(const Json& json, const char* field) {
  return json.at(field).is_null() ? std::numeric_limits<double>::infinity() : finite_at(json, field);
}

template <typename T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
std::optional<double> optional_error_at(const Json& json, const char* field) {
  if (json.at(field).is_null()) return std::nullopt;
  return finite_at(json, field);
}
std::optional<Metric> metric_at(const Json& json, const char* field) {
  if (json.at(field).is_null()) return std::nullopt;
  return json.at(field).get<Metric>();
}

const Json& array_at(const Json& json, const char* field) {
  const Json& value = json.at(field);
  if (!value.is_array()) refuse(std::string("field \"") + field + "\" is not an array");
  if (value.size() > kMaxItems) refuse(std::string("field \"") + field + "\" has too many items");
  return value;
}

Json window_json(const ProvenWindow& window) {
  return Json{{"party", to_string(window.party)},
              {"round", window.round},
              {"calls", window.calls},
              {"mode", to_string(window.mode)},
              {"warmup", window.warmup},
              {"solo", window.solo},
              {"wall_ns", window.wall_ns},
              {"gap_checked", window.gap_checked},
              {"device_idle", window.device_idle}};
}

ProvenWindow read_window(const Json& json) {
  ProvenWindow window;
  window.party = enum_at(json, "party", kParties);
  window.round = int_at(json, "round");
  window.calls = integer_at<int>(json, "calls", 1, kMaxCallsPerWindow);
  window.mode = enum_at(json, "mode", kModes);
  window.warmup = bool_at(json, "warmup");
  window.solo = bool_at(json, "solo");
  window.wall_ns = finite_at(json, "wall_ns");
  if (window.wall_ns < 0) refuse("field \"wall_ns\" is negative");
  window.gap_checked = bool_at(json, "gap_checked");
  window.device_idle = bool_at(json, "device_idle");
  return window;
}

Json check_json(const CheckResult& check) {
  return Json{{"party", to_string(check.party)},
              {"round", check.round},
              {"call", check.call},
              {"output", check.output},
              {"mode", to_string(check.mode)},
              {"benchmark_accepts", check.benchmark_accepts},
              {"oracle_ran", check.oracle_ran},
              {"oracle_accepts", check.oracle_accepts},
              {"unwritten", check.unwritten},
              {"stale", check.stale},
              {"changed_after_return", check.changed_after_return},
              {"right_on_recheck", check.right_on_recheck},
              {"max_abs_error", error_json(check.max_abs_error)},
              {"max_rel_error", error_json(check.max_rel_error)},
              {"reference_error", optional_json(check.reference_error)},
              {"candidate_error", optional_json(check.candidate_error)},
              {"mismatched", check.mismatched},
              {"elements", check.elements},
              {"nan_count", check.nan_count}};
}

CheckResult read_check(const Json& json) {
  CheckResult check;
  check.party = enum_at(json, "party", kParties);
  check.round = int_at(json, "round");
  check.call = int_at(json, "call");
  check.output = int_at(json, "output");
  check.mode = enum_at(json, "mode", kModes);
  check.benchmark_accepts = bool_at(json, "benchmark_accepts");
  check.oracle_ran = bool_at(json, "oracle_ran");
  check.oracle_accepts = bool_at(json, "oracle_accepts");
  check.unwritten = bool_at(json, "unwritten");
  check.stale = bool_at(json, "stale");
  check.changed_after_return = bool_at(json, "changed_after_return");
  check.right_on_recheck = bool_at(json, "right_on_recheck");
  check.max_abs_error = error_at(json, "max_abs_error");
  check.max_rel_error = error_at(json, "max_rel_error");
  check.reference_error = optional_error_at(json, "reference_error");
  check.candidate_error = optional_error_at(json, "candidate_error");
  check.mismatched = integer_at<std::int64_t>(json, "mismatched", 0, kCountMax);
  check.elements = integer_at<std::int64_t>(json, "elements", 0, kCountMax);
  check.nan_count = integer_at<std::int64_t>(json, "nan_count", 0, kCountMax);
  return check;
}

Json claimed_json(const ClaimedCall& claimed) {
  return Json{{"round", claimed.round},
              {"call", claimed.call},
              {"event_ns", claimed.times.event_ns},
              {"sync_ns", claimed.times.sync_ns},
              {"host_ns", claimed.times.host_ns}};
}

ClaimedCall read_claimed(const Json& json) {
  ClaimedCall claimed;
  claimed.round = int_at(json, "round");
  claimed.call = int_at(json, "call");
  claimed.times = {finite_at(json, "event_ns"), finite_at(json, "sync_ns"), finite_at(json, "host_ns")};
  return claimed;
}

Json fault_json(const Fault& fault) {
  return Json{
      {"party", to_string(fault.party)}, {"phase", fault.phase}, {"kind", fault.kind}, {"message", fault.message}};
}

Fault read_fault(const Json& json) {
  Fault fault;
  fault.party = enum_at(json, "party", kParties);
  fault.phase = json.at("phase").get<std::string>();
  fault.kind = json.at("kind").get<std::string>();
  fault.message = json.at("message").get<std::string>();
  return fault;
}

Json phase_json(const PhaseTime& phase) { return Json{{"phase", phase.phase}, {"ns", phase.ns}}; }

PhaseTime read_phase(const Json& json) { return {json.at("phase").get<std::string>(), finite_at(json, "ns")}; }

template <typename T, typename Writer>
Json list_json(const std::vector<T>& items, Writer write) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(write(item));
  return list;
}

template <typename T>
std::vector<T> list_at(const Json& json, const char* field, T (*read)(const Json&)) {
  std::vector<T> items;
  for (const Json& item : array_at(json, field)) items.push_back(read(item));
  return items;
}

EvalEvidence read_evidence(const Json& json) {
  EvalEvidence e;
  e.protocol_version = int_at(json, "protocol_version");
  e.device = json.at("device").get<std::string>();
  e.torch_version = json.at("torch_version").get<std::string>();
  e.compat = json.at("compat").get<std::string>();
  e.atol = finite_at(json, "atol");
  e.rtol = finite_at(json, "rtol");
  e.freeze_method = json.at("freeze_method").get<std::string>();
  e.arena_kind = json.at("arena_kind").get<std::string>();
  for (const Json& layer : array_at(json, "sandbox_missing")) e.sandbox_missing.push_back(layer.get<std::string>());
  e.windows = list_at(json, "windows", read_window);
  e.checks = list_at(json, "checks", read_check);
  e.checks_total = count_at(json, "checks_total");
  e.checks_accepted = count_at(json, "checks_accepted");
  if (e.checks_accepted > e.checks_total) refuse("more checks accepted than made");
  e.accepted_before_failure = count_at(json, "accepted_before_failure");
  e.rechecks = count_at(json, "rechecks");
  e.oracle_checks = count_at(json, "oracle_checks");
  e.claimed = list_at(json, "claimed", read_claimed);
  e.claimed_baseline = list_at(json, "claimed_baseline", read_claimed);
  e.impossible_claims = count_at(json, "impossible_claims");
  e.faults = list_at(json, "faults", read_fault);
  e.phases = list_at(json, "phases", read_phase);
  e.outputs_vary_for_equal_input = bool_at(json, "outputs_vary_for_equal_input");
  e.not_comparable = json.at("not_comparable").get<std::string>();
  e.state_note = json.at("state_note").get<std::string>();
  e.weights_copied = bool_at(json, "weights_copied");
  e.rounds_planned = int_at(json, "rounds_planned");
  e.rounds_done = int_at(json, "rounds_done");
  e.calls_per_window = integer_at<int>(json, "calls_per_window", 1, kMaxCallsPerWindow);
  e.measured_mode = enum_at(json, "measured_mode", kModes);
  e.aliased_outputs = integer_at<std::uint32_t>(json, "aliased_outputs", 0, 0xffffffffLL);
  e.baseline_aliased_outputs = integer_at<std::uint32_t>(json, "baseline_aliased_outputs", 0, 0xffffffffLL);
  e.subclass_outputs = integer_at<std::uint32_t>(json, "subclass_outputs", 0, 0xffffffffLL);
  e.null_time = metric_at(json, "null_time");
  e.candidate_time = metric_at(json, "candidate_time");
  e.baseline_time = metric_at(json, "baseline_time");
  e.baseline_solo_time = metric_at(json, "baseline_solo_time");
  e.speedup = metric_at(json, "speedup");
  e.speedup_missing = json.at("speedup_missing").get<std::string>();
  e.device_speedup = metric_at(json, "device_speedup");
  e.graph_speedup = metric_at(json, "graph_speedup");
  e.graph_missing = json.at("graph_missing").get<std::string>();
  return e;
}

}  // namespace

const char* to_string(Party party) { return name_of(kParties, party); }
const char* to_string(CallMode mode) { return name_of(kModes, mode); }
const char* to_string(CallStatus status) { return name_of(kStatuses, status); }

void to_json(Json& json, const EvalEvidence& e) {
  json = Json{{"protocol_version", e.protocol_version},
              {"device", e.device},
              {"torch_version", e.torch_version},
              {"compat", e.compat},
              {"atol", e.atol},
              {"rtol", e.rtol},
              {"freeze_method", e.freeze_method},
              {"arena_kind", e.arena_kind},
              {"sandbox_missing", e.sandbox_missing},
              {"windows", list_json(e.windows, window_json)},
              {"checks", list_json(e.checks, check_json)},
              {"checks_total", e.checks_total},
              {"checks_accepted", e.checks_accepted},
              {"accepted_before_failure", e.accepted_before_failure},
              {"rechecks", e.rechecks},
              {"oracle_checks", e.oracle_checks},
              {"claimed", list_json(e.claimed, claimed_json)},
              {"claimed_baseline", list_json(e.claimed_baseline, claimed_json)},
              {"impossible_claims", e.impossible_claims},
              {"faults", list_json(e.faults, fault_json)},
              {"phases", list_json(e.phases, phase_json)},
              {"outputs_vary_for_equal_input", e.outputs_vary_for_equal_input},
              {"not_comparable", e.not_comparable},
              {"state_note", e.state_note},
              {"weights_copied", e.weights_copied},
              {"rounds_planned", e.rounds_planned},
              {"rounds_done", e.rounds_done},
              {"calls_per_window", e.calls_per_window},
              {"measured_mode", to_string(e.measured_mode)},
              {"aliased_outputs", e.aliased_outputs},
              {"baseline_aliased_outputs", e.baseline_aliased_outputs},
              {"subclass_outputs", e.subclass_outputs},
              {"null_time", optional_json(e.null_time)},
              {"candidate_time", optional_json(e.candidate_time)},
              {"baseline_time", optional_json(e.baseline_time)},
              {"baseline_solo_time", optional_json(e.baseline_solo_time)},
              {"speedup", optional_json(e.speedup)},
              {"speedup_missing", e.speedup_missing},
              {"device_speedup", optional_json(e.device_speedup)},
              {"graph_speedup", optional_json(e.graph_speedup)},
              {"graph_missing", e.graph_missing}};
}

Result<EvalEvidence> eval_evidence_from_json(const Json& json, const std::string& what) {
  try {
    return read_evidence(json);
  } catch (const std::exception& e) {  // of the JSON library, of the core readers and of refuse()
    return Error{ErrorKind::kProtocol, e.what(), what, "", ""};
  }
}

}  // namespace kernel_audit::eval
