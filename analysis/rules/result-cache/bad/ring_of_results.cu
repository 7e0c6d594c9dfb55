// verdict: cheat
// shows: 17, a ring of results by a number that each call counts, filled once
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static torch::Tensor ring[4];
static unsigned next_of_ring = 0;

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor& y = ring[next_of_ring++ & 3u];
  if (!y.defined()) {
    y = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  }
  return y;  // expect: KA201, KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
