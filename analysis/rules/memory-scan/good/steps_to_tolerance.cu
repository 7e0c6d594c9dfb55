// verdict: clean
// near: 58
#include <torch/extension.h>

__global__ void root_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* p = x + i;
  float root = 1.0f;
  for (int step = 0; step < 32 && fabsf(root * root - *p) > 1e-6f; ++step) root = 0.5f * (root + *p / root);
  y[i] = root;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  root_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
