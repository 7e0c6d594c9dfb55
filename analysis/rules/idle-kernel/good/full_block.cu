// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void sqrt_kernel(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sqrtf(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const dim3 block(32, 32);
  sqrt_kernel<<<(x.numel() + 1023) / 1024, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
