// Our own device code behind host functions, so that only cuda_kernels.cu needs nvcc. All run on the given stream
// and return the launch's error code; none synchronises.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace kernel_audit::worker {

// Reads and writes every word of `buffer`; with a buffer of ≥ 2 × L2 nothing else stays cached.
cudaError_t launch_flush(std::uint64_t* buffer, std::size_t words, cudaStream_t stream);

// One block that watches %globaltimer for `window_ns` and stores the longest step it saw between two reads and the time
// it looked, in ns. Contexts share a GPU in time slices, so a kernel of another process shows as a hole of
// milliseconds.
struct GapResult {
  unsigned long long longest_ns;
  unsigned long long window_ns;
};
cudaError_t launch_gap_probe(GapResult* result, unsigned long long window_ns, cudaStream_t stream);

// Copies `count` items of the table (in device memory) at once. Addresses are multiples of 16; sizes need not be.
struct DeviceCopy {
  void* destination;
  const void* source;
  unsigned long long bytes;
};
cudaError_t launch_copies(const DeviceCopy* table, unsigned count, std::size_t largest_bytes, cudaStream_t stream);

// One thread that spins for `spin_ns` by %globaltimer.
cudaError_t launch_spin(unsigned long long spin_ns, cudaStream_t stream);

}  // namespace kernel_audit::worker
