#include "filters/probes/tape_replay.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <utility>

#include "filters/probes/call_trace.h"
#include "filters/probes/generator_states.h"
#include "filters/probes/guard.h"
#include "filters/probes/range_guard.h"

namespace kernel_audit::filters {

TapeReplay::TapeReplay(CallTape tape) : tape_(std::move(tape)), scratch_(tape_.storages.size()) {
  for (std::size_t i = 0; i < tape_.calls.size(); ++i) {
    if (tape_.calls[i].position >= 0) at_position_.push_back(i);
  }
}

// In the order of the tape, which calls are to run when the result of `first`, or the storages that are `changed`, do.
std::vector<TapeReplay::Step> TapeReplay::steps(std::size_t first, bool all, std::vector<bool> changed) const {
  std::vector<bool> changed_slot(tape_.slots.size(), false);
  changed.resize(tape_.storages.size(), false);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < tape_.calls.size(); ++i) {
    const TapeCall& call = tape_.calls[i];
    bool affected = all || i == first;
    for (const TapeArgument& argument : call.arguments) {
      for (const TensorUse& use : argument.uses) {
        if (use.slot < 0) continue;
        affected = affected || changed_slot[use.slot] || changed[tape_.slots[use.slot].storage];
      }
    }
    if (!affected) continue;
    Step& step = steps.emplace_back();
    step.call = i;
    for (const auto* touched : {&call.writes, &call.views}) {
      for (const StorageVersion& memory : *touched) {
        // A view of memory that is never written from here on shows what was kept.
        if (changed[memory.storage] || tape_.storages[memory.storage].last_write < static_cast<int>(i)) continue;
        step.copies.push_back(memory);
        changed[memory.storage] = true;
      }
    }
    for (const int storage : call.made) changed[storage] = true;
    for (const int slot : call.results) changed_slot[slot] = true;
  }
  return steps;
}

at::Tensor TapeReplay::tensor_of(const TensorUse& use) const {
  if (now_[use.slot].defined()) return now_[use.slot];
  const TapeSlot& slot = tape_.slots[use.slot];
  if (copied_[slot.storage].defined()) return shown_on(copied_[slot.storage], slot.recorded);
  TORCH_CHECK(use.clean.defined(), "the tape lacks a tensor");
  return use.clean;
}

void TapeReplay::copy(const StorageVersion& memory, std::size_t call) {
  const TapeStorage& storage = tape_.storages[memory.storage];
  const at::Tensor& kept = storage.snapshots.at(memory.version);
  if (!memory.any_content || storage.last_use > static_cast<int>(call)) {
    copied_[memory.storage] = kept.clone();
    return;
  }
  at::Tensor& scratch = scratch_[memory.storage];
  if (!scratch.defined()) scratch = kept.clone();
  copied_[memory.storage] = scratch;
}

void TapeReplay::run_step(const Step& step, MutatingObserver* mutation) {
  const TapeCall& call = tape_.calls[step.call];
  for (const StorageVersion& memory : step.copies) copy(memory, step.call);
  torch::jit::Stack stack;
  for (const TapeArgument& argument : call.arguments) {
    if (argument.uses.empty()) {
      stack.push_back(argument.value);
    } else if (argument.element == nullptr) {
      stack.emplace_back(tensor_of(argument.uses[0]));
    } else {
      c10::impl::GenericList list(argument.element);
      for (const TensorUse& use : argument.uses) {
        list.push_back(use.slot < 0 ? c10::IValue() : c10::IValue(tensor_of(use)));
      }
      stack.emplace_back(std::move(list));
    }
  }
  if (!call.generators.empty()) set_generator_states(tape_.device, call.generators);
  check_ranges(call.op, stack);
  InterceptedCall again(call.op, stack);
  if (mutation != nullptr) {
    mutation->mutate(again);
  } else {
    again.run();
  }
  std::vector<at::Tensor> results;
  for (const c10::IValue& value : stack) append_tensors(value, results);
  TORCH_CHECK(results.size() == call.results.size(), "a call gives another number of results");
  const int at = static_cast<int>(step.call);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (tape_.slots[call.results[i]].last_use > at) now_[call.results[i]] = std::move(results[i]);
  }
  for (const TapeArgument& argument : call.arguments) {
    for (const TensorUse& use : argument.uses) {
      if (use.slot >= 0 && tape_.slots[use.slot].last_use == at) now_[use.slot].reset();
    }
  }
}

Result<std::vector<at::Tensor>> TapeReplay::replay(const std::vector<Step>& steps, std::size_t mutated,
                                                   MutatingObserver* mutation) {
  now_.assign(tape_.slots.size(), {});
  copied_.assign(tape_.storages.size(), {});
  auto outputs = guarded([&]() -> Result<std::vector<at::Tensor>> {
    const c10::AutoGradMode no_grad(false);
    for (const Step& step : steps) run_step(step, step.call == mutated ? mutation : nullptr);
    std::vector<at::Tensor> found;
    for (const TensorUse& use : tape_.outputs) found.push_back(tensor_of(use));
    return found;
  });
  now_.clear();
  copied_.clear();
  return outputs;
}

Result<std::vector<at::Tensor>> TapeReplay::run() { return replay(steps(0, /*all=*/true, {}), 0, nullptr); }

Result<std::vector<at::Tensor>> TapeReplay::run(int position, MutatingObserver& mutation) {
  if (position < 0 || static_cast<std::size_t>(position) >= at_position_.size()) {
    return Error{ErrorKind::kUsage, "the tape has no such call", "", "", ""};
  }
  const std::size_t index = at_position_[static_cast<std::size_t>(position)];
  return replay(steps(index, /*all=*/!tape_.keeps_results, {}), index, &mutation);
}

Result<std::vector<at::Tensor>> TapeReplay::run_changed(const at::Tensor& state) {
  std::vector<bool> changed(tape_.storages.size(), false);
  for (const TapeSlot& slot : tape_.slots) {
    const TapeStorage& storage = tape_.storages[slot.storage];
    if (!storage.external || !slot.recorded.defined() || !slot.recorded.is_alias_of(state)) continue;
    if (storage.last_write >= 0) return Error{ErrorKind::kUsage, "the pass writes to it", "", "", ""};
    changed[slot.storage] = true;
  }
  const std::size_t none = tape_.calls.size();
  return replay(steps(none, /*all=*/!tape_.keeps_results, std::move(changed)), none, nullptr);
}

}  // namespace kernel_audit::filters
