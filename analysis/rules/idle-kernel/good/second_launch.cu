// verdict: clean
// near: 57
#include <torch/extension.h>

// The first launch prepares nothing here; the second stores.
__global__ void phase_kernel(const float* x, float* y, int n, int phase) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (phase == 1 && i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  phase_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 0);
  phase_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 1);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
