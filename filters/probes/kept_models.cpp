#include "filters/probes/kept_models.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>

#include <algorithm>
#include <utility>

#include "filters/probes/generator_states.h"
#include "filters/probes/guard.h"

namespace kernel_audit::filters {
namespace {

using State = std::vector<worker::StateEntry>;

bool same_form(const State& a, const State& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.name == other.name && one.is_parameter == other.is_parameter &&
           one.tensor.device() == other.tensor.device() && one.tensor.dtype() == other.tensor.dtype() &&
           one.tensor.sizes() == other.tensor.sizes() && one.tensor.strides() == other.tensor.strides();
  });
}

bool same_state(const State& a, const State& b) {
  return same_form(a, b) && std::equal(a.begin(), a.end(), b.begin(), [](const auto& one, const auto& other) {
           return at::equal(one.tensor, other.tensor);
         });
}

}  // namespace

void KeptModels::keep(std::uint64_t seed, worker::ModelInstance& model, bool drew_random,
                      std::vector<at::Tensor> generators, std::uint64_t most_bytes) {
  const std::vector<worker::StateEntry> state = model.state();
  std::uint64_t bytes = 0;
  for (const worker::StateEntry& entry : state) bytes += entry.tensor.nbytes();
  if (kept_bytes_ + bytes > most_bytes) return;
  auto pristine = copy_of(model);
  const auto alike = guarded([&]() -> Result<bool> { return pristine && same_state(state, pristine->state()); });
  if (!alike || !*alike) return;
  kept_bytes_ += bytes;
  kept_[seed] = {{std::move(pristine), drew_random}, std::move(generators)};
}

std::optional<DrawnModel> KeptModels::give(std::uint64_t seed) {
  const auto known = kept_.find(seed);
  if (known == kept_.end()) return std::nullopt;
  auto model = copy_of(*known->second.pristine.model);
  if (!model) return std::nullopt;
  set_generator_states(device_, known->second.generators);
  return DrawnModel{std::move(model), known->second.pristine.drew_random};
}

bool KeptModels::resembles(worker::ModelInstance& model) const {
  const auto alike = guarded([&]() -> Result<bool> {
    const State state = model.state();
    std::vector<State> known;
    for (const auto& [seed, kept] : kept_) known.push_back(kept.pristine.model->state());
    for (const State& one : known) {
      if (!same_form(one, state)) return false;
    }
    for (std::size_t i = 0; i < state.size(); ++i) {
      const bool constant = std::all_of(known.begin(), known.end(), [&](const State& one) {
        return at::equal(one[i].tensor, known.front()[i].tensor);
      });
      if (constant && !at::allclose(state[i].tensor, known.front()[i].tensor)) return false;
    }
    return !known.empty();
  });
  return alike && *alike;
}

std::unique_ptr<worker::ModelInstance> KeptModels::copy_of(worker::ModelInstance& model) {
  auto copy = model.copy();
  if (!copy) return nullptr;
  // Recurrent layers gather their weights in one piece of memory whenever they are moved.
  if (device_ != "cpu" && !(*copy)->to(device_, std::nullopt)) return nullptr;
  return std::move(*copy);
}

}  // namespace kernel_audit::filters
