// verdict: review
// shows: 49, hidden by alias
#include <torch/extension.h>
#include <cuda_bf16.h>

typedef __nv_bfloat16 real;
#define AS(type, value) static_cast<type>(value)
__device__ float squeeze(const float* at) {
  real narrow = AS(real, *at);  // expect: KA421
  return static_cast<float>(narrow);
}
__global__ void square_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = squeeze(x + i) * squeeze(x + i);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  square_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
