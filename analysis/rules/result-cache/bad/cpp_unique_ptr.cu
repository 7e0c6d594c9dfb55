// verdict: cheat
// shows: 20, hidden by macro
#include <torch/extension.h>
#include <memory>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define KEEP(where, what) where.reset(new torch::Tensor(what))
typedef std::unique_ptr<torch::Tensor> Kept;
static Kept kept;
torch::Tensor forward(torch::Tensor x) {
  if (kept) return *kept;  // expect: KA201
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  KEEP(kept, y);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
