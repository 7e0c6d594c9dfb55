// verdict: clean
// near: 57
#include <torch/extension.h>

__device__ void decide(bool* write, int n) { *write = n > 0; }
__global__ void sum_kernel(const float* x, float* y, int n, int part) {
  __shared__ float sums[32];
  bool write = false;
  decide(&write, n);
  float v = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[blockIdx.x * (long)n + i];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 31 - 31) sums[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x != 0 || blockIdx.z != 0) return;
  for (int i = 1; i < blockDim.x / 32; ++i) v += sums[i];
  if (write && part == 1) y[blockIdx.x] = v;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  int threads = 32;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&threads, sum_kernel, 256, 0);
  dim3 grid(x.size(0));
  if (x.size(0) > 65535) grid.y = 2;
  sum_kernel<<<grid, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1), 1);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
