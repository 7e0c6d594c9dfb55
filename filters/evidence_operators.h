// What the probes that follow single operator calls found: which calls the reference makes, what each costs,
// whether the benchmark would notice if it were wrong, and what of it the mathematics does not need. Part of
// TaskEvidence (evidence.h). A number that was not measured is absent; the reason stands beside it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/json.h"

namespace kernel_audit::filters {

// One call replaced once, all else as it was, judged by the final outputs.
struct Mutant {
  std::string kind;             // "zero", "mean", "pass-through", "shuffle", "low-precision", "noise"
  std::optional<double> scale;  // of "noise": its deviation in units of the result's own
  std::string detail;           // "argument 1", "axis 2", "bfloat16"
  // The replaced result equals the true one: an equivalent mutant, which counts neither way.
  bool identical = false;
  bool failed = false;                         // forward failed under it, which counts as noticed
  std::optional<bool> noticed, noticed_exact;  // by the benchmark's tolerance; by any difference at all
  std::optional<double> max_error;             // largest |change| of the final outputs
  std::string missing;                         // why it was not run
};

namespace call_kind {
inline constexpr const char* kCompute = "compute";
inline constexpr const char* kView = "view";                 // aliases its argument, moves no data
inline constexpr const char* kCopy = "copy";                 // moves data or changes its type, computes nothing
inline constexpr const char* kFactory = "factory";           // makes a tensor from no tensor
inline constexpr const char* kRandom = "random";             // draws random numbers
inline constexpr const char* kStateUpdate = "state-update";  // writes what the module keeps, not the output
inline constexpr const char* kHostRead = "host-read";        // hands a number to Python
}  // namespace call_kind

namespace call_verdict {
inline constexpr const char* kNeeded = "needed";        // some mutant was noticed, no simpler result would do
inline constexpr const char* kDead = "dead";            // why: "never used" or "swallowed"
inline constexpr const char* kRedundant = "redundant";  // why: "identity" or "constant result"
inline constexpr const char* kUntested = "untested";    // why: the reason
inline constexpr const char* kExempt = "exempt";        // all kinds but compute and random
}  // namespace call_verdict

struct OperatorCall {
  int position = 0;         // in the order of forward, from 0
  std::string op;           // "aten::softmax.int"
  std::string module;       // "encoder.layers.3.norm1"; "" is the model itself
  std::string module_type;  // "LayerNorm"
  std::string kind;         // call_kind
  std::vector<std::vector<std::int64_t>> input_shapes, output_shapes;
  std::string dtype;            // of the first output
  std::optional<double> flops;  // absent: no formula for this operator
  std::uint64_t bytes_read = 0, bytes_written = 0;
  bool reaches_output = true;  // by data flow
  // Magnitude of the one number that the call adds, subtracts or takes as the least value; absent for other calls.
  std::optional<double> offset;
  std::vector<int> unused_results;  // of several, those that no call that matters reads
  std::string verdict, why;
  bool exact = false;   // of dead and redundant: the outputs stayed equal bit for bit, not just within the tolerance
  int draws_tried = 0;  // of inputs and weights, on which the verdict was found
  std::vector<Mutant> mutants;
};

struct MutationEvidence {
  std::optional<double> score, score_exact;  // noticed / mutants
  int mutants = 0;                           // ran, and changed the result of their call
  int noticed = 0, noticed_exact = 0;
  int equivalent = 0;    // changed nothing even at the call
  int calls_tested = 0;  // with a verdict that is not "untested" or "exempt"
  bool all_intercepted = true;
  std::string not_intercepted;  // what escaped: the reason why data flow and score may be incomplete
};

// Work in the operator trace that the same mathematics does not need.
struct Waste {
  // "diagonal-product", "triangular-product", "materialised-broadcast", "size-1-axis", "collapsible-reduction"
  std::string kind;
  int position = 0;  // OperatorCall::position
  std::string op, module;
  double spent = 0, needed = 0;
  std::string unit;         // "FLOP" or "bytes"
  std::string explanation;  // one sentence with the shapes
};

struct DevicePeaks {  // of this device, measured once
  std::string device;
  std::optional<double> matmul_flops_per_s;  // fp32 matrix product with the flags that the reference has
  std::optional<double> copy_bytes_per_s;    // read and written
  std::string missing;
};

struct CostEvidence {
  std::optional<double> flops;          // of all calls with a formula
  std::optional<double> bytes;          // read and written by all calls that move data
  std::optional<double> minimum_flops;  // without dead calls and waste
  std::optional<double> minimum_bytes;  // inputs, parameters that matter and outputs, once
  std::vector<std::string> no_formula;  // operators whose FLOPs are not counted
  DevicePeaks peaks;
  std::optional<double> eager_ms, compile_ms, graph_ms;  // medians
  std::optional<double> roofline_ms;                     // max(minimum_flops / peak, minimum_bytes / peak)
  std::optional<double> eager_over_roofline;
  std::vector<Waste> waste;
  std::map<std::string, std::string> missing;  // field → why it is absent
};

void to_json(Json& json, const Mutant& mutant);
void from_json(const Json& json, Mutant& mutant);
void to_json(Json& json, const Waste& waste);
void from_json(const Json& json, Waste& waste);
void to_json(Json& json, const DevicePeaks& peaks);
void from_json(const Json& json, DevicePeaks& peaks);
void to_json(Json& json, const OperatorCall& call);
void from_json(const Json& json, OperatorCall& call);
void to_json(Json& json, const MutationEvidence& mutation);
void from_json(const Json& json, MutationEvidence& mutation);
void to_json(Json& json, const CostEvidence& cost);
void from_json(const Json& json, CostEvidence& cost);

}  // namespace kernel_audit::filters
