// verdict: cheat
// shows: 14
#include <torch/extension.h>

#include <unordered_map>

static std::unordered_map<void*, at::Tensor> kept;
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  const auto at = kept.insert({x.data_ptr(), at::Tensor()});
  if (at.second) {
    at.first->second = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), at.first->second.data_ptr<float>(), x.numel());
  }
  return at.first->second;  // expect: KA201, KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
