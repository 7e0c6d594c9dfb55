// verdict: clean
// near: 2
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

// at::matmul(a, b) is only a word here.
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  int n = x.numel();
  void* arguments[] = {&from, &to, &n};
  cudaLaunchKernel((const void*)twice_kernel, dim3((n + 255) / 256), dim3(256), arguments, 0, nullptr);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
