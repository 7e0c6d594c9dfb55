// verdict: cheat
// shows: 14, hidden by a template
#include <torch/extension.h>

#include <unordered_map>

template <class T>
T& slot() {
  thread_local T value;
  return value;
}
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto& plans = slot<std::unordered_map<void*, at::Tensor>>();
  auto [it, fresh] = plans.try_emplace(x.data_ptr());
  if (fresh) {
    it->second = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), it->second.data_ptr<float>(), x.numel());
  }
  return it->second;  // expect: KA201, KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
