// verdict: clean
#include <torch/extension.h>

__global__ void sum_kernel(const float* x, float* y, int n) {
  __shared__ float tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();  // expect: KA903
  }
  if (i < n) y[i] = tile[threadIdx.x % 32];
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  sum_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
