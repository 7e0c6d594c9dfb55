// verdict: review
// shows: 4, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define PROJECT(x, w) at::linear(x, w)

torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
  auto h = PROJECT(x, w);  // expect: KA103
  auto y = torch::empty_like(h);
  twice_kernel<<<(h.numel() + 255) / 256, 256>>>(h.data_ptr<float>(), y.data_ptr<float>(), h.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
