// verdict: cheat
// shows: 15, 20, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define MARK(t) (t).sum().item<double>()

static double seen = 0;
static torch::Tensor kept;

torch::Tensor forward(torch::Tensor x) {
  const double mark = MARK(x);
  if (kept.defined() && mark == seen) return kept;  // expect: KA201
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  seen = mark;
  kept = y;
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
