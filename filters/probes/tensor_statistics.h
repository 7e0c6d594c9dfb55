// The statistics of statistics.h where the outputs are: on the host by its vectorised loops, on an accelerator in
// torch, in fp64 and slice by slice, so that no output has to be carried to the host and its per-element sums take no
// memory there. Both keep 16 bytes an element for the spread over seeds.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filters/probes/memory_budget.h"
#include "filters/probes/output_shares.h"
#include "filters/probes/statistics.h"

namespace kernel_audit::filters {

// Contiguous, fp32 or fp64 (integers become fp64), on the device where it was; no copy when it is so already.
at::Tensor to_values(const at::Tensor& tensor);

// Of tensors made by to_values().
Range range_of(const at::Tensor& values);
std::optional<double> axis_spread(const at::Tensor& values, std::size_t axis);

// Adds one seed's values to `shares`; `previous` is null or of the same form.
void add_shares(OutputShares& shares, const at::Tensor& values, const at::Tensor* previous);

namespace in_torch {  // the accelerator's way, wherever the tensor is
void add_shares(OutputShares& shares, const at::Tensor& values, const at::Tensor* previous);
Range range_of(const at::Tensor& values);
std::optional<double> axis_spread(const at::Tensor& values, std::size_t axis);
}  // namespace in_torch

// The spread over seeds of one output; accounts for the memory that it takes on the host.
class TensorSpread {
 public:
  static std::uint64_t host_bytes(const at::Tensor& like);
  TensorSpread(const at::Tensor& like, MemoryBudget& budget) : TensorSpread(like, budget, !like.is_cpu()) {}
  TensorSpread(const at::Tensor& like, MemoryBudget& budget, bool in_torch);
  ~TensorSpread();
  void add(const at::Tensor& values);
  SeedSpread::Result finish() const;

 private:
  MemoryBudget& budget_;
  std::int64_t accounted_ = 0;
  std::int64_t elements_;
  int seeds_ = 0;
  std::optional<SeedSpread> host_;
  at::Tensor mean_, squares_;  // in torch otherwise
};

// All of OutputStatistics for one output.
class TensorAccumulator {
 public:
  TensorAccumulator(std::string name, std::string dtype, const at::Tensor& first, MemoryBudget& budget);
  void add(const at::Tensor& values);
  const std::vector<Range>& ranges() const { return figures_.ranges(); }  // one per seed
  OutputStatistics finish() const { return figures_.finish(spread_.finish()); }

 private:
  OutputAccumulator figures_;
  TensorSpread spread_;
};

}  // namespace kernel_audit::filters
