// What the referee's core needs of the task: descriptors, fresh content drawn from secret seeds, expected
// outputs, comparisons. All memory behind it is private: never exported, never in the block of an exported
// allocation. The torch implementation runs the task's model; tests use small functions of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/process/fd.h"
#include "eval/evidence.h"

namespace kernel_audit::eval {

struct TensorSpec {
  std::string dtype;
  std::vector<std::int64_t> shape, strides;  // strides in elements, dense
  std::uint64_t bytes = 0;
};

struct ArgumentSpec {
  std::optional<TensorSpec> tensor;
  Json plain;  // when it is no tensor
  std::string python_type;
};

Json to_message(const TensorSpec& spec);        // "Tensor" of eval/protocol.h
Json to_message(const ArgumentSpec& argument);  // "Argument"

struct StateDigest {
  std::string name, dtype, sha256;
  std::vector<std::int64_t> shape;
};

// Content of one window: `input_seeds` has one secret seed per call.
struct Draw {
  std::vector<std::uint64_t> input_seeds;
  std::uint64_t rng_seed = 0;     // public, of the window
  std::uint64_t poison_seed = 0;  // secret until the window is over
};

struct RecheckResult {
  bool same = false;   // as the first copy, bit for bit
  bool right = false;  // acceptable for the call
};

class Reference {
 public:
  virtual ~Reference() = default;
  virtual const std::vector<ArgumentSpec>& inputs() const = 0;
  virtual const std::vector<TensorSpec>& outputs() const = 0;
  virtual const std::vector<StateDigest>& state() const = 0;
  // Body and descriptor of a Weights message with the values of these state entries.
  virtual Result<std::pair<Json, process::Fd>> weights(const std::vector<std::string>& names) = 0;

  // Makes pristine inputs, expected outputs and the poison of one window. Everything of the last one is gone,
  // but the expected outputs of some recent calls are kept to recognise stale ones.
  virtual Status draw(const Draw& draw) = 0;
  // Keeps the expected outputs of this call of the window for good: the candidate has seen it early.
  virtual void remember(int call) = 0;
  // Device memory, valid until the next draw. `input` counts tensor inputs only.
  virtual const void* input(int call, int input) const = 0;
  virtual const void* poison(int output) const = 0;
  virtual void* received(int call, int output) = 0;  // where a party's output is copied to
  virtual void* rechecked(int output) = 0;           // the same for a recheck of one call

  // Compares what was received. The fp64 oracle is asked when the benchmark refuses, and when `oracle` is set.
  // The fields that say which output it is are left to the caller. Errors: the comparison itself failed.
  virtual Result<CheckResult> compare(int call, int output, bool oracle) = 0;
  virtual Result<RecheckResult> compare_recheck(int call, int output) = 0;
};

}  // namespace kernel_audit::eval
