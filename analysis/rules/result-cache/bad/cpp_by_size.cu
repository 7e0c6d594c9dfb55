// verdict: cheat
// shows: 16, 20, hidden by macro
#include <map>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define KEY(t) (t).numel()

static std::map<int64_t, torch::Tensor> results;

torch::Tensor forward(torch::Tensor x) {
  auto& slot = results[KEY(x)];
  if (slot.defined()) return slot;  // expect: KA201
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  slot = y;
  return slot;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
