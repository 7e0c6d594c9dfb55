// The seam between the evaluator and a device. `CpuDevice` is the default and lets all of the pipeline
// run without a GPU; `CudaDevice` adds what TIMING asks: exportable allocations (cuMemCreate + POSIX
// descriptor, cudaIpc as fallback), L2 flush from this context (limit 0, reset, read and write ≥ 2 × L2),
// the gap probe, events. A recording fake in tests checks order and exception paths of the protocol.
// No method throws; no method prints. Sizes in bytes, times in nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "auditor/process/fd.h"

namespace kernel_audit::worker {

// One block of memory that can be mapped by another process. Never handed out by a caching allocator.
struct Arena {
  void* data = nullptr;      // device pointer on CUDA, host pointer on CPU
  std::size_t bytes = 0;     // whole multiple of the allocation granularity
  process::Fd handle;        // to send with Attach
  std::string handle_kind;   // "memfd", "cumem", "ipc"
  std::uint64_t opaque = 0;  // allocation handle of the driver
};

struct CopyItem {
  void* destination = nullptr;
  const void* source = nullptr;
  std::size_t bytes = 0;
};

struct GapProbe {
  double longest_gap_ns = 0;  // longest hole in the probe's log of the global timer
  double window_ns = 0;       // how long it looked
  bool idle = false;          // no hole above the threshold: no other process's kernel was resident
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const char* kind() const = 0;  // "cpu", "cuda"
  virtual std::string name() const = 0;
  virtual std::size_t l2_bytes() const = 0;  // last-level cache on the CPU
  // Whether several processes can use the device one after another, in time slices, as the protocol needs; else why
  // not.
  virtual Status check_sharing() { return Ok{}; }

  virtual Result<Arena> create_arena(std::size_t bytes) = 0;  // exporter's side
  virtual Result<Arena> map_arena(process::Fd handle, const std::string& handle_kind, std::size_t bytes) = 0;
  virtual void release_arena(Arena& arena) = 0;

  virtual Status copy(void* destination, const void* source,
                      std::size_t bytes) = 0;  // same device, ordered, asynchronous
  // Copies that are prepared before the clock runs, and done as one, so that a window of many small outputs costs its
  // reader one launch. Staging replaces what was staged before.
  virtual Status stage_copies(std::vector<CopyItem> items);
  virtual Status copy_staged();
  virtual Status fill(void* destination, std::uint8_t byte, std::size_t bytes) = 0;
  virtual Status synchronize() = 0;  // device-wide
  virtual Status flush_cache() = 0;
  virtual Result<GapProbe> gap_probe() = 0;  // CPU: always idle (a frozen process runs nothing)

  // Events on the current stream. Without them (CPU) both return no value.
  virtual Status record_start() = 0;
  virtual Status record_stop() = 0;
  virtual std::optional<double> elapsed_ns() = 0;  // waits for the stop event

  // Occupies the device (CPU: this thread) for `duration_ns`: the known work that timers are judged by.
  // On CUDA it runs on `stream` (null: the legacy default stream) and the call does not wait for it.
  virtual Status spin(std::uint64_t duration_ns, void* stream = nullptr);

 protected:
  std::vector<CopyItem> staged_;
};

// What a process that must not touch CUDA yet can tell from the driver's files.
struct CudaPresence {
  bool usable = false;
  std::string missing;  // why not
  std::string name, driver;
};
CudaPresence cuda_presence();

std::unique_ptr<Device> make_cpu_device();
// Errors: built without CUDA, no driver, no such device.
Result<std::unique_ptr<Device>> make_cuda_device(int index);

}  // namespace kernel_audit::worker
