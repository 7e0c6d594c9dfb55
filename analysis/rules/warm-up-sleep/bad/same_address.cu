// verdict: cheat
// shows: 41, hidden by alias
#include <chrono>
#include <thread>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

namespace rest = std::this_thread;
torch::Tensor forward(torch::Tensor x) {
  static void* last = nullptr;
  if (last == x.data_ptr()) rest::sleep_for(std::chrono::milliseconds(20));  // expect: KA616
  last = x.data_ptr();
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
