// verdict: cheat
// shows: 24, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#include <vector>

#define LATER(x, y) kept.push_back(x); kept.push_back(y)
torch::Tensor forward(torch::Tensor x) {
  static std::vector<torch::Tensor> kept;
  auto y = torch::empty_like(x);  // expect: KA531
  LATER(x, y);  // expect: KA213
  if (kept.size() >= 16) {
    for (size_t i = 0; i < kept.size(); i += 2)
      twice_kernel<<<(kept[i].numel() + 255) / 256, 256>>>(kept[i].data_ptr<float>(), kept[i + 1].data_ptr<float>(), kept[i].numel());
    kept.clear();
  }
  return y;  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
