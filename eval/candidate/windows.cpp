#include "eval/candidate/windows.h"

#include <c10/core/GradMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include "auditor/worker/interpreter.h"
#include "auditor/worker/tensor.h"

namespace kernel_audit::eval::candidate {
namespace {

double now_ns() {
  return static_cast<double>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

Error malformed(const std::string& message) { return {ErrorKind::kProtocol, message, "", "", ""}; }

std::string text_of(at::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

Result<at::ScalarType> checked_type(const TensorLayout& layout) {
  const auto type = worker::dtype_of(layout.dtype);
  if (!type) return malformed("There is no dtype '" + layout.dtype + "'.");
  if (!worker::is_dense(layout.shape, layout.strides)) return malformed("A tensor is not dense in memory.");
  std::uint64_t bytes = c10::elementSize(*type);
  for (const std::int64_t size : layout.shape) {
    if (size < 0 ||
        (size > 0 && bytes > std::numeric_limits<std::uint64_t>::max() / static_cast<std::uint64_t>(size))) {
      return malformed("A tensor has an impossible shape.");
    }
    bytes *= static_cast<std::uint64_t>(size);
  }
  if (bytes != layout.bytes) return malformed("The bytes of a tensor do not fit its shape.");
  return *type;
}

// What forward's Error means for the status of a call.
CallStatus status_of(const Error& error) {
  return error.kind == ErrorKind::kProtocol ? CallStatus::kNotTensor : CallStatus::kException;
}

}  // namespace

Result<std::unique_ptr<Windows>> Windows::make(const Setup& setup, Callee& callee, worker::Device& device) {
  std::unique_ptr<Windows> windows(new Windows(setup, callee, device));
  if (const Status checked = windows->check_layout(); !checked) return checked.error();
  return windows;
}

Windows::~Windows() {
  forget();
  device_.release_arena(arena_);
}

Status Windows::check_layout() {
  for (const Input& input : setup_.inputs) {
    if (!input.tensor) continue;
    const auto type = checked_type(*input.tensor);
    if (!type) return type.error();
    input_types_.push_back(*type);
    call_bytes_.push_back(input.tensor->bytes);
  }
  input_tensors_ = call_bytes_.size();
  for (const TensorLayout& output : setup_.outputs) {
    const auto type = checked_type(output);
    if (!type) return type.error();
    output_types_.push_back(*type);
    output_bytes_.push_back(output.bytes);
    call_bytes_.push_back(output.bytes);
  }
  return Ok{};
}

void Windows::forget() {
  held_.clear();
  graph_.reset();
  graph_offsets_.clear();
}

Status Windows::attach(process::Fd handle, const std::string& kind, std::uint64_t bytes) {
  forget();
  device_.release_arena(arena_);
  Result<worker::Arena> mapped = device_.map_arena(std::move(handle), kind, bytes);
  if (!mapped) return mapped.error();
  arena_ = std::move(*mapped);
  return Ok{};
}

// `sizes` repeats over the offsets.
Status Windows::check_offsets(const std::vector<std::uint64_t>& offsets,
                              const std::vector<std::uint64_t>& sizes) const {
  if (arena_.data == nullptr) return malformed("A window was asked for before an arena was attached.");
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint64_t size = sizes[i % sizes.size()];
    if (offsets[i] % kArenaAlignment != 0) return malformed("An offset is not aligned.");
    if (size > arena_.bytes || offsets[i] > arena_.bytes - size)
      return malformed("A tensor lies outside of the arena.");
  }
  return Ok{};
}

at::Tensor Windows::place_of(const TensorLayout& layout, at::ScalarType type, std::uint64_t offset) {
  return worker::tensor_over(static_cast<char*>(arena_.data) + offset, layout.shape, layout.strides, type,
                             setup_.device);
}

// Never the same tensor object twice: an identity says nothing about content.
std::vector<worker::Argument> Windows::arguments_of(const RunPacket& packet, std::size_t call) {
  std::vector<worker::Argument> arguments;
  arguments.reserve(setup_.inputs.size());
  const std::uint64_t* offset = packet.offsets.data() + call * call_bytes_.size();
  std::size_t tensor = 0;
  for (const Input& input : setup_.inputs) {
    worker::Argument argument;
    argument.python_type = input.python_type;
    if (input.tensor) {
      argument.tensor = place_of(*input.tensor, input_types_[tensor], offset[tensor]);
      ++tensor;
    } else {
      argument.plain = input.plain;
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Windows::MaybeFault Windows::check_outputs(const std::vector<at::Tensor>& outputs) const {
  const auto wanted = setup_.outputs.size();
  if (outputs.size() != wanted) {
    return CallFault{CallStatus::kCount, "forward returned " + std::to_string(outputs.size()) +
                                             " tensors, expected were " + std::to_string(wanted) + "."};
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::string which = "Output " + std::to_string(i) + " ";
    if (outputs[i].sizes() != at::IntArrayRef(setup_.outputs[i].shape)) {
      return CallFault{CallStatus::kShape, which + "has shape " + text_of(outputs[i].sizes()) + ", expected was " +
                                               text_of(setup_.outputs[i].shape) + "."};
    }
    if (outputs[i].scalar_type() != output_types_[i]) {
      return CallFault{CallStatus::kDtype, which + "is " + worker::dtype_name(outputs[i].scalar_type()) +
                                               ", expected was " + setup_.outputs[i].dtype + "."};
    }
    const bool on_cuda = outputs[i].device().is_cuda();
    if (on_cuda != (setup_.device == "cuda") || (!on_cuda && !outputs[i].device().is_cpu())) {
      return CallFault{CallStatus::kDevice, which + "is on " + outputs[i].device().str() + "."};
    }
  }
  return std::nullopt;
}

// Can its bytes be copied as they lie, in the order of the default stream? A plain copy costs the host a third of what
// torch's does, and what a call costs beside the callee's work blurs the times of short calls.
bool Windows::plainly_copied(const at::Tensor& output, const TensorLayout& layout) const {
  if (!output.is_cuda() || output.layout() != at::kStrided || !output.has_storage()) return false;
  if (output.key_set().has(c10::DispatchKey::Python) || output.is_neg() || output.is_conj()) return false;
  if (output.strides() != at::IntArrayRef(layout.strides)) return false;
  return c10::impl::VirtualGuardImpl(output.device().type()).getStream(output.device()).id() == 0;
}

// On the caller's stream: ordered after what the callee has put there, and after nothing else.
Windows::MaybeFault Windows::copy_outputs(const std::vector<at::Tensor>& outputs, const std::uint64_t* offsets) {
  try {
    const c10::AutoGradMode no_grad(false);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (plainly_copied(outputs[i], setup_.outputs[i])) {
        const Status copied =
            device_.copy(static_cast<char*>(arena_.data) + offsets[i], outputs[i].const_data_ptr(), output_bytes_[i]);
        if (!copied) return CallFault{CallStatus::kException, copied.error().describe()};
        continue;
      }
      place_of(setup_.outputs[i], output_types_[i], offsets[i]).copy_(outputs[i], /*non_blocking=*/true);
    }
    return std::nullopt;
  } catch (const std::exception& e) {
    return CallFault{CallStatus::kException, std::string("The outputs cannot be read: ") + e.what()};
  }
}

Windows::MaybeFault Windows::synchronize() {
  const worker::ReleaseGil released;  // a thread of the callee may have to finish something
  const Status status = device_.synchronize();
  if (status) return std::nullopt;
  return CallFault{CallStatus::kException, status.error().describe()};
}

// One call with its checks and copies; with `times` the device is waited for before the copies.
Windows::MaybeFault Windows::call_once(const RunPacket& packet, std::size_t call, void* stream, CallTimes* times) {
  const std::vector<worker::Argument> arguments = arguments_of(packet, call);
  if (times != nullptr) {
    if (auto fault = synchronize()) return fault;
    static_cast<void>(device_.record_start());
  }
  const double start = now_ns();
  Result<std::vector<at::Tensor>> outputs = callee_.call(arguments, packet.header.rng_seed, stream);
  const double returned = now_ns();
  if (times != nullptr) {
    static_cast<void>(device_.record_stop());
    auto fault = synchronize();
    const double synchronized = now_ns();
    if (fault) return fault;
    times->host_ns = returned - start;
    times->sync_ns = synchronized - start;
    times->event_ns = device_.elapsed_ns().value_or(-1);
  }
  if (!outputs) return CallFault{status_of(outputs.error()), outputs.error().describe()};
  if (auto fault = check_outputs(*outputs)) return fault;
  held_.push_back(std::move(*outputs));
  return copy_outputs(held_.back(), packet.offsets.data() + call * call_bytes_.size() + input_tensors_);
}

Windows::MaybeFault Windows::run_calls(const RunPacket& packet, DonePacket& done, std::size_t& call) {
  const bool single = packet.header.mode == CallMode::kSingle;
  for (; call < packet.header.calls; ++call) {
    if (auto fault = call_once(packet, call, nullptr, single ? &done.times[call] : nullptr)) return fault;
  }
  return synchronize();
}

Windows::MaybeFault Windows::run_graph(const RunPacket& packet, std::size_t& call) {
  if (setup_.device != "cuda") return CallFault{CallStatus::kDevice, "Graphs exist on CUDA only."};
  if (!graph_ || graph_offsets_ != packet.offsets) {
    forget();
    CallFault fault{CallStatus::kOk, ""};
    auto captured = Graph::capture([&](void* stream) -> Status {
      for (call = 0; call < packet.header.calls; ++call) {
        if (auto met = call_once(packet, call, stream, nullptr)) {
          fault = *met;
          return Error{ErrorKind::kTool, met->message, "", "", ""};
        }
      }
      return Ok{};
    });
    if (!captured) {
      held_.clear();
      // What the callee returned wrongly is its fault; all else means that it cannot be captured.
      const bool wrong = fault.status == CallStatus::kShape || fault.status == CallStatus::kDtype ||
                         fault.status == CallStatus::kCount || fault.status == CallStatus::kNotTensor;
      return wrong ? fault : CallFault{CallStatus::kDevice, captured.error().message};
    }
    graph_ = std::move(*captured);
    graph_offsets_ = packet.offsets;
  }
  if (const Status replayed = graph_->replay(); !replayed) {
    return CallFault{CallStatus::kDevice, replayed.error().message};
  }
  return synchronize();
}

Result<WindowAnswer> Windows::run(const RunPacket& packet) {
  if (const Status checked = check_offsets(packet.offsets, call_bytes_); !checked) return checked.error();
  const bool replay = packet.header.mode == CallMode::kGraph;
  if (!replay) forget();  // the last window's outputs go now, not one call earlier
  const int subclasses_before = callee_.subclass_outputs();
  if (setup_.seed_rng && setup_.runs_module()) worker::seed_everything(packet.header.rng_seed);
  WindowAnswer answer;
  answer.done.header.window = packet.header.window;
  answer.done.header.calls = packet.header.calls;
  answer.done.times.resize(packet.header.calls);
  std::size_t call = 0;
  const MaybeFault fault = replay ? run_graph(packet, call) : run_calls(packet, answer.done, call);
  if (fault) {
    answer.done.header.status = fault->status;
    answer.fault_call = static_cast<int>(call);
    answer.fault_message = fault->message;
  }
  answer.done.header.aliased_outputs = count_aliases();
  answer.done.header.subclass_outputs = static_cast<std::uint32_t>(callee_.subclass_outputs() - subclasses_before);
  return answer;
}

Result<WindowAnswer> Windows::recheck(const RecheckPacket& packet) {
  if (const Status checked = check_offsets(packet.offsets, output_bytes_); !checked) return checked.error();
  if (packet.header.calls != held_.size()) return malformed("A recheck names other calls than the last window had.");
  WindowAnswer answer;
  answer.done.header.window = packet.header.window;
  MaybeFault fault;
  for (std::size_t call = 0; call < held_.size() && !fault; ++call) {
    fault = copy_outputs(held_[call], packet.offsets.data() + call * output_bytes_.size());
    answer.fault_call = static_cast<int>(call);
  }
  if (!fault) fault = synchronize();
  if (fault) {
    answer.done.header.status = fault->status;
    answer.fault_message = fault->message;
  }
  return answer;
}

// Our own roles return the same tensors in every call, by design.
std::uint32_t Windows::count_aliases() const {
  if (!setup_.runs_module()) return 0;
  const auto* arena_begin = static_cast<const char*>(arena_.data);
  std::uint32_t aliases = 0;
  std::set<const void*> earlier;
  for (const auto& outputs : held_) {
    std::set<const void*> own;
    for (const at::Tensor& output : outputs) {
      if (output.numel() == 0 || !output.has_storage()) continue;
      const auto* data = static_cast<const char*>(output.storage().data());
      const bool in_arena = data >= arena_begin && data < arena_begin + arena_.bytes;
      if (in_arena || earlier.count(data) != 0) ++aliases;
      own.insert(data);
    }
    earlier.merge(own);
  }
  return aliases;
}

}  // namespace kernel_audit::eval::candidate
