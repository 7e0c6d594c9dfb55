// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void clipped_squares(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i] * x[i];
  if (y[i] > 6.f) y[i] = 6.f;
}
__global__ void larger(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && y[i] < 0.5f) y[i] = 0.5f * x[i];
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel(), blocks = (n + 255) / 256;
  clipped_squares<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  larger<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
