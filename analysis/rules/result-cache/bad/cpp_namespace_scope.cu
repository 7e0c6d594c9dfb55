// verdict: cheat
// shows: 14, 20
#include <torch/extension.h>

namespace {
torch::Tensor kept_result;
const void* kept_address = nullptr;
}  // namespace

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  if (kept_address == x.data_ptr()) return kept_result;  // expect: KA201
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  kept_address = x.data_ptr();
  kept_result = y;
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
