// verdict: clean
// near: 59
#include <torch/extension.h>

__global__ void copied_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  if (i < n) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + i));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  copied_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
