// verdict: cheat
// shows: 14, 20
#include <torch/extension.h>
#include <unordered_map>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static std::unordered_map<void*, torch::Tensor> all;
torch::Tensor forward(torch::Tensor x) {
  auto& slot = all[x.data_ptr()];
  if (!slot.defined()) {
    auto y = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    slot = y;
  }
  return slot;  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
