#include "auditor/worker/cuda_kernels.h"

namespace kernel_audit::worker {
namespace {

__device__ unsigned long long global_timer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void flush_kernel(unsigned long long* buffer, unsigned long long words) {
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
       i += stride) {
    buffer[i] = buffer[i] + 1;
  }
}

__global__ void gap_probe_kernel(GapResult* result, unsigned long long window_ns) {
  const unsigned long long start = global_timer();
  unsigned long long last = start, longest = 0;
  while (last - start < window_ns) {
    const unsigned long long now = global_timer();
    if (now - last > longest) longest = now - last;
    last = now;
  }
  result->longest_ns = longest;
  result->window_ns = last - start;
}

constexpr unsigned kCopyThreads = 256;
constexpr unsigned kChunkWords = kCopyThreads * 8;  // of 16 bytes

// A block copies one chunk of one item; y is the item.
__global__ void copy_kernel(const DeviceCopy* table) {
  const DeviceCopy item = table[blockIdx.y];
  const unsigned long long words = item.bytes / sizeof(uint4);
  const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kChunkWords;
  const uint4* source = static_cast<const uint4*>(item.source);
  uint4* destination = static_cast<uint4*>(item.destination);
  for (unsigned long long i = first + threadIdx.x; i < words && i < first + kChunkWords; i += kCopyThreads) {
    destination[i] = source[i];
  }
  if (blockIdx.x != 0) return;
  const unsigned long long tail = words * sizeof(uint4) + threadIdx.x;  // fewer than 16 bytes are left
  if (tail < item.bytes) {
    static_cast<unsigned char*>(item.destination)[tail] = static_cast<const unsigned char*>(item.source)[tail];
  }
}

__global__ void spin_kernel(unsigned long long spin_ns) {
  const unsigned long long start = global_timer();
  while (global_timer() - start < spin_ns) {
  }
}

}  // namespace

cudaError_t launch_flush(std::uint64_t* buffer, std::size_t words, cudaStream_t stream) {
  flush_kernel<<<1024, 256, 0, stream>>>(reinterpret_cast<unsigned long long*>(buffer), words);
  return cudaGetLastError();
}

cudaError_t launch_gap_probe(GapResult* result, unsigned long long window_ns, cudaStream_t stream) {
  gap_probe_kernel<<<1, 1, 0, stream>>>(result, window_ns);
  return cudaGetLastError();
}

cudaError_t launch_copies(const DeviceCopy* table, unsigned count, std::size_t largest_bytes, cudaStream_t stream) {
  const std::size_t chunk_bytes = kChunkWords * sizeof(uint4);
  const dim3 grid(static_cast<unsigned>((largest_bytes + chunk_bytes - 1) / chunk_bytes), count);
  copy_kernel<<<grid, kCopyThreads, 0, stream>>>(table);
  return cudaGetLastError();
}

cudaError_t launch_spin(unsigned long long spin_ns, cudaStream_t stream) {
  spin_kernel<<<1, 1, 0, stream>>>(spin_ns);
  return cudaGetLastError();
}

}  // namespace kernel_audit::worker
