// verdict: cheat
// shows: 14, 20
#include <torch/extension.h>
#include <unordered_map>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static std::unordered_map<void*, torch::Tensor> kept;
torch::Tensor forward(torch::Tensor x) {
  auto found = kept.find(x.data_ptr());
  if (found != kept.end()) return found->second;  // expect: KA201
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  kept[x.data_ptr()] = y;
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
