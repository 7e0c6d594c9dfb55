// verdict: clean
// near: 60
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void halve(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = reinterpret_cast<const float4*>(x)[i];
  float* parts = reinterpret_cast<float*>(&v);
  for (int j = 0; j < 4; ++j) parts[j] *= 0.5f;
  reinterpret_cast<float4*>(y)[i] = v;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel() / 4;
  halve<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
