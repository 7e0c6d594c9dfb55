#include "filters/probes/call_tape.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <string_view>

#include "filters/probes/call_trace.h"
#include "filters/probes/flops.h"
#include "filters/probes/generator_states.h"

namespace kernel_audit::filters {
namespace {

// All bytes of the memory behind a tensor.
at::Tensor bytes_behind(const at::Tensor& tensor) {
  at::Tensor bytes = at::empty({0}, at::TensorOptions().dtype(at::kByte).device(tensor.device()));
  return bytes.set_(tensor.storage());
}

// Statistics of normalisation, which are written though the schema does not say so.
bool is_running_statistic(const std::string& argument) {
  return argument == "running_mean" || argument == "running_var";
}

// They are written only, and not read, by a call that takes the statistics of its input instead.
struct RunningStatistics {
  std::vector<at::Tensor> tensors;
  bool only_written = false;
};

RunningStatistics running_statistics(const InterceptedCall& call) {
  RunningStatistics found;
  const auto& arguments = call.op().schema().arguments();
  const std::size_t begin = call.stack().size() - arguments.size();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i].name();
    const c10::IValue& value = call.stack()[begin + i];
    const bool unmarked = arguments[i].alias_info() == nullptr && is_running_statistic(name);
    if (unmarked) append_tensors(value, found.tensors);
    if (name == "training" || name == "use_input_stats") found.only_written = value.isBool() && value.toBool();
  }
  return found;
}

struct Layout {
  c10::StorageImpl* storage;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t offset;
  bool operator==(const Layout&) const = default;
};

Layout layout_of(const at::Tensor& tensor) {
  return {tensor.storage().unsafeGetStorageImpl(), tensor.sizes().vec(), tensor.strides().vec(),
          tensor.storage_offset()};
}

// What Python reads of the result, if anything, does not come through the dispatcher.
bool hands_to_python(std::string_view name) { return name == "resolve_conj" || name == "resolve_neg"; }

// They tell Python of types and shapes, which do not depend on values.
bool tells_no_value(std::string_view name) {
  return name == "is_floating_point" || name == "is_complex" || name == "is_signed" || name == "is_same_size" ||
         name == "result_type" || name == "size" || name == "stride" || name == "numel" || name == "dim";
}

bool holds_tensors(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  append_tensors(value, tensors);
  return !tensors.empty();
}

}  // namespace

at::Tensor shown_on(const at::Tensor& bytes, const at::Tensor& like) {
  const c10::AutoGradMode no_grad(false);
  at::Tensor shown = at::empty({0}, like.options().requires_grad(false));
  return shown.set_(bytes.storage(), like.storage_offset(), like.sizes(), like.strides());
}

TapeRecorder::TapeRecorder(const ModulePaths& paths, const std::string& device, std::uint64_t room_bytes)
    : paths_(paths), dispatch_(dispatch_state()), room_bytes_(room_bytes) {
  tape_.device = device;
}

void TapeRecorder::refuse(const std::string& reason) {
  if (missing_.empty()) missing_ = reason;
}

bool TapeRecorder::fits(const at::Tensor& tensor) {
  const bool plain = tensor.layout() == at::kStrided && tensor.has_storage() && !tensor.is_quantized() &&
                     !tensor.is_conj() && !tensor.is_neg() && !tensor.is_inference() &&
                     !tensor.key_set().has(c10::DispatchKey::Python) && (tensor.is_cpu() || tensor.is_cuda());
  if (!plain) refuse("a tensor is not a plain one");
  return plain;
}

int TapeRecorder::known_storage(const at::Tensor& tensor) const {
  const auto found = storages_.find(tensor.storage().unsafeGetStorageImpl());
  return found == storages_.end() ? -1 : found->second.first;
}

int TapeRecorder::add_storage(const at::Tensor& tensor, bool external) {
  const int index = static_cast<int>(tape_.storages.size());
  TapeStorage& storage = tape_.storages.emplace_back();
  storage.external = external;
  storages_.emplace(tensor.storage().unsafeGetStorageImpl(),
                    std::pair(index, WeakStorage(tensor.storage().getWeakStorageImpl())));
  if (!external && tape_.keeps_results) account(tensor.storage().nbytes());
  return index;
}

int TapeRecorder::add_slot(const at::Tensor& tensor, int storage) {
  const int index = static_cast<int>(tape_.slots.size());
  TapeSlot& slot = tape_.slots.emplace_back();
  slot.storage = storage;
  if (tape_.keeps_results || tape_.storages[storage].external) slot.recorded = tensor;
  remember(tensor, index);
  return index;
}

// Results are given up when they take too much room.
void TapeRecorder::account(std::uint64_t bytes) {
  tape_.kept_bytes += bytes;
  if (!tape_.keeps_results || tape_.kept_bytes <= room_bytes_) return;
  tape_.keeps_results = false;
  tape_.kept_bytes = 0;
  for (TapeSlot& slot : tape_.slots) {
    if (!tape_.storages[slot.storage].external) slot.recorded.reset();
  }
  for (TapeStorage& storage : tape_.storages) {
    if (!storage.external) storage.snapshots.clear();
  }
}

// Python's factories, and `.data`, give a result another identity.
int TapeRecorder::only_slot_like(const at::Tensor& tensor, int storage) {
  int found = -1;
  for (std::size_t i = 0; i < tape_.slots.size(); ++i) {
    const TapeSlot& slot = tape_.slots[i];
    if (slot.storage != storage) continue;
    if (!slot.recorded.defined()) return -1;
    const bool alike =
        slot.recorded.scalar_type() == tensor.scalar_type() && layout_of(slot.recorded) == layout_of(tensor);
    if (!alike) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  if (found >= 0) remember(tensor, found);
  return found;
}

void TapeRecorder::remember(const at::Tensor& tensor, int slot) {
  slots_.emplace(tensor.unsafeGetTensorImpl(), std::pair(slot, WeakTensor(tensor.getIntrusivePtr())));
}

TensorUse TapeRecorder::use_of(const at::Tensor& tensor) {
  if (!fits(tensor)) return {};
  int slot = -1;
  if (const auto found = slots_.find(tensor.unsafeGetTensorImpl()); found != slots_.end()) {
    slot = found->second.first;
  } else {
    int storage = known_storage(tensor);
    if (storage < 0) storage = add_storage(tensor, /*external=*/true);
    slot = tape_.storages[storage].external ? add_slot(tensor, storage) : only_slot_like(tensor, storage);
    if (slot < 0) {
      refuse("a view was made behind the dispatcher");
      return {};
    }
  }
  TapeStorage& storage = tape_.storages[tape_.slots[slot].storage];
  tape_.slots[slot].last_use = storage.last_use = static_cast<int>(tape_.calls.size());
  return {slot, storage.version, {}};
}

void TapeRecorder::take_arguments(TapeCall& entry, const InterceptedCall& call) {
  const std::size_t count = call.op().schema().arguments().size();
  for (std::size_t i = call.stack().size() - count; i < call.stack().size(); ++i) {
    const c10::IValue& value = call.stack()[i];
    TapeArgument& argument = entry.arguments.emplace_back();
    if (value.isTensor() && value.toTensor().defined()) {
      argument.uses.push_back(use_of(value.toTensor()));
    } else if (value.isList() && holds_tensors(value)) {
      argument.element = value.toList().elementType();
      for (const c10::IValue& item : value.toListRef()) {
        if (item.isTensor() && item.toTensor().defined()) {
          argument.uses.push_back(use_of(item.toTensor()));
        } else {
          argument.uses.emplace_back();
        }
      }
    } else if (value.isGenerator() || value.isStorage() || value.isObject() || holds_tensors(value)) {
      return refuse(operator_name(call.op()) + " has an argument of a kind that is not recorded");
    } else {
      argument.value = value;
    }
  }
}

void TapeRecorder::snapshot(int storage, const at::Tensor& tensor) {
  TapeStorage& entry = tape_.storages[storage];
  if (!entry.external && !tape_.keeps_results) return;
  entry.snapshots.resize(static_cast<std::size_t>(entry.version) + 1);
  if (entry.snapshots.back().defined()) return;
  entry.snapshots.back() = bytes_behind(tensor).clone();
  account(entry.snapshots.back().nbytes());
}

void TapeRecorder::take_writes(TapeCall& entry, const std::vector<at::Tensor>& written, bool any_content) {
  for (const at::Tensor& tensor : written) {
    const int storage = fits(tensor) ? known_storage(tensor) : -1;
    if (storage < 0) return;
    const bool again = std::any_of(entry.writes.begin(), entry.writes.end(),
                                   [&](const StorageVersion& write) { return write.storage == storage; });
    if (again) continue;
    snapshot(storage, tensor);
    entry.writes.push_back({storage, tape_.storages[storage].version, any_content});
  }
}

// Gives what Python is to see: a tensor that the call passes on gets another identity, so that the result can be told
// from the argument.
at::Tensor TapeRecorder::take_result(TapeCall& entry, const at::Tensor& result, bool in_place) {
  if (!fits(result)) return result;
  const auto found = slots_.find(result.unsafeGetTensorImpl());
  if (found != slots_.end() && in_place) {
    entry.results.push_back(found->second.first);
    return result;
  }
  const at::Tensor seen = found == slots_.end() ? result : result.alias();
  int storage = known_storage(seen);
  if (storage < 0) {
    storage = add_storage(seen, /*external=*/false);
    entry.made.push_back(storage);
    const std::string op = operator_name(entry.op);
    tape_.storages[storage].unwritten = base_name(op).starts_with("empty") || base_name(op).starts_with("new_empty");
  } else {
    entry.views.push_back({storage, tape_.storages[storage].version});
  }
  entry.results.push_back(add_slot(seen, storage));
  return seen;
}

void TapeRecorder::take_results(TapeCall& entry, InterceptedCall& call) {
  const auto& returns = call.op().schema().returns();
  const std::size_t begin = call.stack().size() - returns.size();
  for (std::size_t i = 0; i < returns.size(); ++i) {
    c10::IValue& value = call.stack()[begin + i];
    const bool in_place = returns[i].alias_info() != nullptr && returns[i].alias_info()->isWrite();
    if (value.isTensor()) {
      if (value.toTensor().defined()) value = take_result(entry, value.toTensor(), in_place);
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list = value.toTensorList();
      for (std::size_t j = 0; j < list.size(); ++j) {
        if (list.get(j).defined()) list.set(j, take_result(entry, list.get(j), in_place));
      }
    } else if (!value.isNone() && !tells_no_value(base_name(operator_name(call.op())))) {
      return refuse(operator_name(call.op()) + " hands a value to Python");
    }
  }
}

void TapeRecorder::intercept(InterceptedCall& call, int) {
  const int position = paths_.inside() ? next_position_++ : -1;
  if (!missing_.empty()) return call.run();
  const std::string op = operator_name(call.op());
  const c10::impl::LocalDispatchKeySet dispatch = dispatch_state();
  if (c10::GradMode::is_enabled()) refuse(op + " is recorded by autograd");
  if (dispatch.included_ != dispatch_.included_ || dispatch.excluded_ != dispatch_.excluded_) {
    refuse(op + " is called in a mode of torch");
  }
  if (!op.starts_with("aten::")) refuse(op + " is not an operator of torch's own");
  if (hands_to_python(base_name(op))) refuse(op + " may hand values to Python");
  if (tape_.calls.size() >= static_cast<std::size_t>(CallTrace::kMaxCalls)) refuse("there are too many calls");
  TapeCall entry(call.op());
  entry.position = position;
  if (missing_.empty()) take_arguments(entry, call);
  if (missing_.empty()) take_writes(entry, written_arguments(call.op(), call.stack()), /*any_content=*/false);
  const RunningStatistics statistics = running_statistics(call);
  if (missing_.empty()) take_writes(entry, statistics.tensors, statistics.only_written);
  if (!missing_.empty()) return call.run();

  std::vector<at::Tensor> arguments;
  for (std::size_t i = call.stack().size() - entry.arguments.size(); i < call.stack().size(); ++i) {
    append_tensors(call.stack()[i], arguments);
  }
  std::vector<std::uint32_t> versions;
  std::vector<Layout> layouts;
  bool on_device = false;
  for (const at::Tensor& tensor : arguments) {
    versions.push_back(static_cast<std::uint32_t>(tensor._version()));
    layouts.push_back(layout_of(tensor));
    on_device = on_device || !tensor.is_cpu();
  }
  std::vector<at::Tensor> generators = generator_states(tape_.device);
  call.run();
  if (!same_states(generators, generator_states(tape_.device))) entry.generators = std::move(generators);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const int storage = known_storage(arguments[i]);
    const bool known = std::any_of(entry.writes.begin(), entry.writes.end(),
                                   [&](const StorageVersion& write) { return write.storage == storage; });
    if (layouts[i] != layout_of(arguments[i])) return refuse(op + " changes how a tensor lies in memory");
    if (!known && arguments[i]._version() != versions[i]) return refuse(op + " writes to an argument unannounced");
  }
  take_results(entry, call);
  for (const StorageVersion& write : entry.writes) {
    TapeStorage& storage = tape_.storages[write.storage];
    ++storage.version;
    storage.unwritten = false;
    storage.last_write = static_cast<int>(tape_.calls.size());
  }
  std::vector<at::Tensor> results;
  for (std::size_t i = call.stack().size() - call.op().schema().returns().size(); i < call.stack().size(); ++i) {
    append_tensors(call.stack()[i], results);
  }
  const bool to_host = std::any_of(results.begin(), results.end(), [](const auto& result) { return result.is_cpu(); });
  if (on_device && to_host) refuse(op + " hands values to the host");
  tape_.calls.push_back(std::move(entry));
}

void TapeRecorder::set_clean(TensorUse& use) const {
  if (use.slot < 0) return;
  const TapeSlot& slot = tape_.slots[use.slot];
  const TapeStorage& storage = tape_.storages[slot.storage];
  if (!slot.recorded.defined()) return;
  // What is not ours may be changed by a later pass.
  const bool live = use.version == storage.version && (storage.last_write < 0 || !storage.external);
  use.clean = live ? slot.recorded : shown_on(storage.snapshots.at(use.version), slot.recorded);
}

Result<CallTape> TapeRecorder::finish(const std::vector<at::Tensor>& outputs) {
  for (const at::Tensor& output : outputs) {
    if (fits(output) && known_storage(output) < 0) refuse("an output was made by no recorded call");
    if (missing_.empty()) tape_.outputs.push_back(use_of(output));
  }
  if (tape_.calls.empty()) refuse("no call was recorded");
  for (TapeSlot& slot : tape_.slots) {
    if (!missing_.empty()) break;
    const TapeStorage& storage = tape_.storages[slot.storage];
    if (storage.unwritten) refuse("memory that no operator of torch wrote is read");
    if (storage.external && storage.last_write >= 0) snapshot(slot.storage, slot.recorded);
  }
  if (!missing_.empty()) {
    tape_ = CallTape();
    return Error{ErrorKind::kUsage, missing_, "", "", ""};
  }
  for (TapeCall& call : tape_.calls) {
    for (TapeArgument& argument : call.arguments) {
      for (TensorUse& use : argument.uses) set_clean(use);
    }
  }
  for (TensorUse& use : tape_.outputs) set_clean(use);
  return std::move(tape_);
}

}  // namespace kernel_audit::filters
