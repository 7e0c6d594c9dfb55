// Pristine models by weight seed, so that probe after probe that asks for the same weights need not draw them again.
// What is given is a copy, as the constructor left it: the same weights bit for bit, the generators where
// construction left them. A model of which a copy would be anything else is not kept.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "auditor/worker/python_module.h"

namespace kernel_audit::filters {

struct DrawnModel {
  std::unique_ptr<worker::ModelInstance> model;
  bool drew_random = false;  // its construction consumed random numbers
};

class KeptModels {
 public:
  explicit KeptModels(std::string device) : device_(std::move(device)) {}

  // `model` is on the device and has run nothing, `generators` are the states that its construction left. Nothing is
  // kept that would take more than `most_bytes` in all.
  void keep(std::uint64_t seed, worker::ModelInstance& model, bool drew_random, std::vector<at::Tensor> generators,
            std::uint64_t most_bytes);
  bool has(std::uint64_t seed) const { return kept_.contains(seed); }
  // Of all that is kept.
  std::uint64_t bytes() const { return kept_bytes_; }
  // Whether `model` could be the same task's under another seed: state of the same form, and of the same values where
  // all that is kept has the same.
  bool resembles(worker::ModelInstance& model) const;
  // Call seed_everything(seed) first. Nothing: this seed is not kept, or there is no room for a copy.
  std::optional<DrawnModel> give(std::uint64_t seed);

 private:
  std::unique_ptr<worker::ModelInstance> copy_of(worker::ModelInstance& model);

  struct Kept {
    DrawnModel pristine;
    std::vector<at::Tensor> generators;
  };
  std::string device_;
  std::map<std::uint64_t, Kept> kept_;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace kernel_audit::filters
