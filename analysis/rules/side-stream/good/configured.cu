// verdict: clean
// near: 27
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto t = torch::empty_like(x);
  auto y = torch::empty_like(x);
  const int n = x.numel();
  cudaLaunchConfig_t how = {};
  how.gridDim = (n + 255) / 256;
  how.blockDim = 256;
  cudaLaunchKernelEx(&how, twice_kernel, (const float*)x.data_ptr<float>(), t.data_ptr<float>(), n);
  how.stream = at::cuda::getCurrentCUDAStream();
  cudaLaunchKernelEx(&how, twice_kernel, (const float*)t.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
