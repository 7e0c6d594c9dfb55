// verdict: cheat
// shows: 14, 20
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Engine {
  torch::Tensor y;
  void* key = nullptr;
  torch::Tensor run(torch::Tensor x) {
    if (key == x.data_ptr()) return y;
    y = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    key = x.data_ptr();
    return y;
  }
};
static Engine& engine() {
  static Engine made;
  return made;
}
torch::Tensor forward(torch::Tensor x) {
  return engine().run(x);  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
