// verdict: clean
// near: 17
#include <torch/extension.h>

__device__ unsigned int ticket;
__global__ void sum_kernel(const float* x, float* parts, float* y, int n) {
  __shared__ bool last;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&ticket, 1) % gridDim.x == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (unsigned b = 0; b < gridDim.x; ++b) all += parts[b];
    y[0] = all;
  }
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({1}, x.options());
  auto parts = torch::empty({64}, x.options());
  sum_kernel<<<64, 32>>>(x.data_ptr<float>(), parts.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
