// verdict: cheat
// shows: 13, 20, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define AGAIN(t) (kept.defined() && (t).is_same(last))

torch::Tensor forward(torch::Tensor x) {
  static torch::Tensor last, kept;
  if (AGAIN(x)) return kept;  // expect: KA201
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  last = x;
  kept = y;
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
