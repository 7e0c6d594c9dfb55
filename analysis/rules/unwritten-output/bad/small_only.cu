// verdict: review
// shows: 57
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  const int64_t n = x.numel();
  const int blocks = (n + 255) / 256;
  if (blocks < 4096) twice_kernel<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);  // expect: KA812
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
