// verdict: cheat
// shows: 20
#include <torch/extension.h>

#include <tuple>

__global__ void half_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 0.5f;
}

static std::tuple<void*, torch::Tensor> previous{nullptr, torch::Tensor()};

torch::Tensor forward(torch::Tensor x) {
  auto& [address, y] = previous;
  if (address == x.data_ptr()) return y;  // expect: KA201
  y = torch::empty_like(x);
  int n = x.numel();
  half_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  address = x.data_ptr();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
