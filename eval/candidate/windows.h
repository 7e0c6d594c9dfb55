// Runs the windows that a referee asks for: fresh tensors over the arena for every call, the call, the copy of its
// outputs into the arena, and the party's own clocks. Keeps the outputs of the last window alive for a recheck.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/worker/device.h"
#include "eval/candidate/callee.h"
#include "eval/candidate/graph.h"
#include "eval/candidate/setup.h"
#include "eval/wire.h"

namespace kernel_audit::eval::candidate {

struct WindowAnswer {
  DonePacket done;
  int fault_call = 0;
  std::string fault_message;  // set when done.header.status is not kOk
};

class Windows {
 public:
  // Errors: layouts that contradict themselves.
  static Result<std::unique_ptr<Windows>> make(const Setup& setup, Callee& callee, worker::Device& device);
  ~Windows();

  Status attach(process::Fd handle, const std::string& kind, std::uint64_t bytes);  // replaces the last arena
  int tensors_per_call() const { return static_cast<int>(input_tensors_ + setup_.outputs.size()); }
  int outputs_per_call() const { return static_cast<int>(setup_.outputs.size()); }

  // Errors: the packet does not fit the arena. What the callee does wrong is in the answer.
  Result<WindowAnswer> run(const RunPacket& packet);
  Result<WindowAnswer> recheck(const RecheckPacket& packet);

 private:
  struct CallFault {
    CallStatus status;
    std::string message;
  };
  using MaybeFault = std::optional<CallFault>;

  Windows(const Setup& setup, Callee& callee, worker::Device& device)
      : setup_(setup), callee_(callee), device_(device) {}
  Status check_layout();
  Status check_offsets(const std::vector<std::uint64_t>& offsets, const std::vector<std::uint64_t>& sizes) const;
  std::vector<worker::Argument> arguments_of(const RunPacket& packet, std::size_t call);
  at::Tensor place_of(const TensorLayout& layout, at::ScalarType type, std::uint64_t offset);
  MaybeFault check_outputs(const std::vector<at::Tensor>& outputs) const;
  bool plainly_copied(const at::Tensor& output, const TensorLayout& layout) const;
  MaybeFault copy_outputs(const std::vector<at::Tensor>& outputs, const std::uint64_t* offsets);
  MaybeFault call_once(const RunPacket& packet, std::size_t call, void* stream, CallTimes* times);
  MaybeFault run_calls(const RunPacket& packet, DonePacket& done, std::size_t& call);
  MaybeFault run_graph(const RunPacket& packet, std::size_t& call);
  MaybeFault synchronize();
  std::uint32_t count_aliases() const;
  void forget();

  const Setup& setup_;
  Callee& callee_;
  worker::Device& device_;
  worker::Arena arena_;
  std::size_t input_tensors_ = 0;
  std::vector<at::ScalarType> input_types_, output_types_;
  std::vector<std::uint64_t> call_bytes_, output_bytes_;  // of the tensors of one call, in the order of offsets
  std::vector<std::vector<at::Tensor>> held_;             // outputs by call of the last window
  std::unique_ptr<Graph> graph_;
  std::vector<std::uint64_t> graph_offsets_;
};

}  // namespace kernel_audit::eval::candidate
