// verdict: clean
// near: 59
#include <torch/extension.h>

__device__ void fill(float* to, float value) { to[threadIdx.x] = value; }
__global__ void filled_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  __shared__ float sums[32];
  __shared__ float total;
  float* late = &sums[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fill(tile, i < n ? x[i] : 0.0f);
  for (int step = 0; step < 2; ++step) {
    if (step > 0 && threadIdx.x < 32) tile[threadIdx.x] += sums[threadIdx.x];
    if (threadIdx.x < 32) sums[threadIdx.x] = tile[threadIdx.x];
    if (threadIdx.x == 0) total = tile[0];
    __syncthreads();
  }
  if (i < n) y[i] = tile[threadIdx.x] + total;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  filled_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
