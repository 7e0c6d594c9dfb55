#include "filters/probes/call_trace.h"

#include <ATen/core/List.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "auditor/worker/tensor.h"
#include "filters/probes/flops.h"
#include "filters/probes/session.h"

namespace kernel_audit::filters {
namespace {

std::vector<std::int64_t> shape_of(const at::Tensor& tensor) { return {tensor.sizes().begin(), tensor.sizes().end()}; }

// What a tensor occupies: an expanded one has fewer distinct elements than its shape says.
std::uint64_t bytes_of_tensor(const at::Tensor& tensor) {
  std::uint64_t elements = tensor.numel() == 0 ? 0 : 1;
  for (std::int64_t axis = 0; axis < tensor.dim() && elements > 0; ++axis) {
    if (tensor.stride(axis) != 0) elements *= static_cast<std::uint64_t>(tensor.size(axis));
  }
  return elements * tensor.element_size();
}

bool ends_with(std::string_view text, std::string_view end) { return text.ends_with(end); }

// Work in place that changes only how memory is seen.
bool reshapes_in_place(std::string_view name) {
  return name == "squeeze" || name == "unsqueeze" || name == "t" || name == "transpose" || name == "swapdims" ||
         name == "swapaxes" || name == "as_strided" || name == "resize" || name == "detach" ||
         name == "requires_grad" || name == "set";
}

bool makes_tensor_by_shape(std::string_view name) {
  return ends_with(name, "_like") || name.starts_with("new_") || name == "lift_fresh";
}

// A number among the arguments: as such, or as the tensor that Python's operators make of it.
std::optional<double> number_of(const c10::IValue& value) {
  if (value.isScalar()) return value.toScalar().isComplex() ? std::nullopt : std::optional(value.toScalar().toDouble());
  if (!value.isTensor() || !value.toTensor().defined()) return std::nullopt;
  const at::Tensor& tensor = value.toTensor();
  const bool wrapped = tensor.unsafeGetTensorImpl()->is_wrapped_number() && !tensor.is_complex();
  return wrapped ? std::optional(tensor.item().toDouble()) : std::nullopt;
}

// OperatorCall::offset.
std::optional<double> offset_of(const std::string& op, const std::vector<c10::IValue>& arguments) {
  const std::string_view name = base_name(op);
  if (arguments.size() < 2) return std::nullopt;
  if (name == "clamp_min" || name == "clamp") {
    if (name == "clamp" && arguments.size() > 2 && !arguments[2].isNone()) return std::nullopt;
    const auto least = number_of(arguments[1]);
    return least ? std::optional(std::abs(*least)) : std::nullopt;
  }
  if (name != "add" && name != "sub") return std::nullopt;
  const auto left = number_of(arguments[0]), right = number_of(arguments[1]);
  if (left.has_value() == right.has_value()) return std::nullopt;
  const double factor = right && arguments.size() > 2 ? number_of(arguments[2]).value_or(1) : 1;
  return std::abs(right ? *right * factor : *left);
}

bool add_unique(std::vector<int>& list, int value) {
  if (std::find(list.begin(), list.end(), value) != list.end()) return false;
  list.push_back(value);
  return true;
}

}  // namespace

void append_tensors(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) tensors.push_back(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) append_tensors(item, tensors);
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) append_tensors(item, tensors);
  }
}

std::string operator_name(const c10::OperatorHandle& op) {
  const c10::OperatorName& name = op.operator_name();
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

std::vector<at::Tensor> written_arguments(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  std::vector<at::Tensor> written;
  const auto& arguments = op.schema().arguments();
  const std::size_t begin = stack.size() - arguments.size();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* alias = arguments[i].alias_info();
    if (alias != nullptr && alias->isWrite()) append_tensors(stack[begin + i], written);
  }
  return written;
}

void CallTrace::know(Origin::Kind kind, const std::string& name, const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage() || origin_of(tensor) != nullptr) return;
  add_origin(kind, tensor).name = name;
}

CallTrace::Origin* CallTrace::origin_of(const at::Tensor& tensor) {
  const auto found = index_.find(tensor.storage().unsafeGetStorageImpl());
  return found == index_.end() ? nullptr : &origins_[found->second];
}

CallTrace::Origin& CallTrace::add_origin(Origin::Kind kind, const at::Tensor& tensor) {
  index_[tensor.storage().unsafeGetStorageImpl()] = origins_.size();
  origins_.push_back({kind, "", tensor.storage().getWeakStorageImpl(), {}, {}});
  return origins_.back();
}

void CallTrace::doubt(const std::string& reason) {
  if (not_intercepted.empty()) not_intercepted = reason;
}

void CallTrace::read(int position, const at::Tensor& tensor) {
  if (!tensor.has_storage()) return doubt(calls[position].op + " reads a tensor without storage");
  Origin* origin = origin_of(tensor);
  if (origin == nullptr) {
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) return;  // a number of Python's
    origin = &add_origin(Origin::kOutside, tensor);
  }
  add_unique(origin->readers, position);
  if (origin->kind == Origin::kInput) from_input[position] = true;
  for (const int writer : origin->writers) {
    if (writer == position || !add_unique(producers[position], writer)) continue;
    add_unique(readers[writer], position);
    if (from_input[writer]) from_input[position] = true;
  }
}

void CallTrace::intercept(InterceptedCall& call, int depth) {
  const bool recorded = depth == 0 && paths_.inside() && !too_many;
  if (depth == 0 && !recorded) return call.run();
  if (recorded && calls.size() >= static_cast<std::size_t>(kMaxCalls)) {
    too_many = true;
    return call.run();
  }
  const auto& schema = call.op().schema();
  ShapedCall shaped;
  shaped.op = operator_name(call.op());
  std::vector<at::Tensor> inputs;
  std::vector<c10::IValue> arguments;
  for (std::size_t i = call.stack().size() - schema.arguments().size(); i < call.stack().size(); ++i) {
    append_tensors(call.stack()[i], inputs);
    if (call.stack()[i].isIntList()) shaped.integers.push_back(call.stack()[i].toIntVector());
    if (recorded) arguments.push_back(call.stack()[i]);
  }
  for (const at::Tensor& tensor : inputs) shaped.inputs.push_back(shape_of(tensor));
  const std::vector<at::Tensor> written = written_arguments(call.op(), call.stack());
  const int position = static_cast<int>(calls.size());
  if (recorded) {
    OperatorCall& entry = calls.emplace_back();
    producers.emplace_back();
    readers.emplace_back();
    works_in_place.push_back(!written.empty());
    from_input.push_back(false);
    entry.position = position;
    entry.op = shaped.op;
    entry.module = paths_.innermost().path;
    entry.module_type = paths_.innermost().type;
    entry.input_shapes = shaped.inputs;
    entry.offset = offset_of(shaped.op, arguments);
    for (const at::Tensor& tensor : inputs) read(position, tensor);
    if (inspector_) inspector_(position, shaped.op, inputs, arguments);
  }
  arguments.clear();
  nested_flops_.push_back(0);
  nested_known_.push_back(false);
  call.run();
  const double nested = nested_flops_.back();
  const bool nested_known = nested_known_.back();
  nested_flops_.pop_back();
  nested_known_.pop_back();

  std::vector<std::vector<at::Tensor>> results;
  for (std::size_t i = call.stack().size() - schema.returns().size(); i < call.stack().size(); ++i) {
    append_tensors(call.stack()[i], results.emplace_back());
    for (const at::Tensor& tensor : results.back()) shaped.outputs.push_back(shape_of(tensor));
  }
  std::optional<double> flops = flops_of(shaped);
  if (!flops && nested_known) flops = nested;
  if (!nested_flops_.empty() && flops) {
    nested_flops_.back() += *flops;
    nested_known_.back() = true;
  }
  if (!recorded) return;
  OperatorCall& entry = calls[position];
  entry.flops = flops;
  entry.output_shapes = shaped.outputs;
  for (const at::Tensor& tensor : inputs) entry.bytes_read += bytes_of_tensor(tensor);
  record_results(position, results, written, call.op().hasTag(at::Tag::nondeterministic_seeded));
}

void CallTrace::record_results(int position, const std::vector<std::vector<at::Tensor>>& results,
                               const std::vector<at::Tensor>& written, bool random) {
  OperatorCall& entry = calls[position];
  bool any = false, fresh = false, updates_state = false;
  for (const at::Tensor& tensor : written) {
    if (!tensor.has_storage()) continue;
    if (Origin* origin = origin_of(tensor)) {
      add_unique(origin->writers, position);
      origin->unwritten = false;
      updates_state = updates_state || origin->kind == Origin::kState;
      entry.bytes_written += bytes_of_tensor(tensor);
    }
  }
  for (std::size_t result = 0; result < results.size(); ++result) {
    for (const at::Tensor& tensor : results[result]) {
      if (entry.dtype.empty()) entry.dtype = worker::dtype_name(tensor.scalar_type());
      any = true;
      if (!tensor.has_storage()) {
        doubt(entry.op + " gives a tensor without storage");
        continue;
      }
      if (origin_of(tensor) != nullptr) continue;  // an alias of what is there
      fresh = true;
      Origin& origin = add_origin(Origin::kResult, tensor);
      origin.writers = {position};
      origin.result_of = position;
      origin.result = static_cast<int>(result);
      origin.unwritten = base_name(entry.op).starts_with("empty") || base_name(entry.op) == "new_empty";
      entry.bytes_written += bytes_of_tensor(tensor);
    }
  }
  const std::string_view name = base_name(entry.op);
  if (random) {
    entry.kind = call_kind::kRandom;
  } else if (updates_state) {
    entry.kind = call_kind::kStateUpdate;
  } else if (!any && written.empty()) {
    entry.kind = call_kind::kHostRead;
  } else if ((written.empty() && !fresh) || reshapes_in_place(name)) {
    entry.kind = call_kind::kView;
    entry.bytes_read = entry.bytes_written = 0;
    entry.flops = 0;
  } else if (entry.input_shapes.empty() || makes_tensor_by_shape(name)) {
    entry.kind = call_kind::kFactory;
    if (makes_tensor_by_shape(name)) entry.bytes_read = 0;
  } else {
    entry.kind = only_moves_data(entry.op) ? call_kind::kCopy : call_kind::kCompute;
  }
}

void CallTrace::mark(const std::vector<int>& roots, std::vector<bool>& reached) const {
  std::vector<int> open = roots;
  while (!open.empty()) {
    const int position = open.back();
    open.pop_back();
    if (reached[position]) continue;
    reached[position] = true;
    open.insert(open.end(), producers[position].begin(), producers[position].end());
  }
}

void CallTrace::finish(const std::vector<at::Tensor>& outputs) {
  std::vector<int> roots, state_roots;
  for (const at::Tensor& output : outputs) {
    if (!output.has_storage()) {
      doubt("an output has no storage");
      continue;
    }
    Origin* origin = origin_of(output);
    if (origin == nullptr) {
      doubt("an output was made by code that calls no operator of torch");
      continue;
    }
    origin->is_output = true;
    roots.insert(roots.end(), origin->writers.begin(), origin->writers.end());
  }
  for (const OperatorCall& call : calls) {
    if (call.kind == call_kind::kHostRead) roots.push_back(call.position);
    if (call.kind == call_kind::kStateUpdate) state_roots.push_back(call.position);
  }
  std::vector<bool> reached(calls.size(), false), kept(calls.size(), false);
  mark(roots, reached);
  for (const Origin& origin : origins_) {
    const bool alive = origin.storage.lock().get() != nullptr;
    if (origin.kind == Origin::kOutside && (!alive || origin.is_output)) {
      doubt("a tensor that no operator of torch made is read" +
            (origin.readers.empty() ? std::string() : " by " + calls[origin.readers[0]].op));
    }
    if (origin.unwritten) {
      for (const int reader : origin.readers) {
        if (calls[reader].kind == call_kind::kView || calls[reader].kind == call_kind::kFactory) continue;
        doubt("memory that no operator of torch wrote is read by " + calls[reader].op);
      }
    }
    // A result that is neither an output nor gone is kept by the module for later.
    if (origin.kind == Origin::kResult && alive && !origin.is_output) {
      state_roots.insert(state_roots.end(), origin.writers.begin(), origin.writers.end());
    }
  }
  mark(state_roots, kept);
  const auto matters = [&](const std::vector<int>& positions) {
    return std::any_of(positions.begin(), positions.end(), [&](int at) { return reached[at] || kept[at]; });
  };
  for (OperatorCall& call : calls) {
    call.reaches_output = reached[call.position];
    if (!call.reaches_output && kept[call.position] &&
        (call.kind == call_kind::kCompute || call.kind == call_kind::kRandom || call.kind == call_kind::kCopy)) {
      call.kind = call_kind::kStateUpdate;
    }
  }
  for (const Origin& origin : origins_) {
    const bool used = origin.is_output || matters(origin.readers);
    if (!used && origin.kind == Origin::kInput) unused_inputs.push_back(origin.name);
    if (!used && origin.kind == Origin::kState) unused_state.push_back(origin.name);
    if (used || origin.kind != Origin::kResult) continue;
    OperatorCall& call = calls[origin.result_of];
    if (call.reaches_output && call.output_shapes.size() > 1) call.unused_results.push_back(origin.result);
  }
}

}  // namespace kernel_audit::filters
