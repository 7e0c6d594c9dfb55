// verdict: clean
// near: 54
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void square_roots(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float root = v > 1.f ? v : 1.f;
  while (fabsf(root * root - v) > 1e-6f * v) root = 0.5f * (root + v / root);
  y[i] = root;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  square_roots<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                              n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
