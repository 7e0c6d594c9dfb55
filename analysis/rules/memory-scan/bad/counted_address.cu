// verdict: cheat
// shows: 58, 85, hidden by alias
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

typedef unsigned long Where;
#define AT(where) (*reinterpret_cast<const float*>(where))
static float look(Where from, Where to) {
  float sum = 0.0f;
  for (Where at = from; at < to; at += sizeof(float)) sum += AT(at);  // expect: KA624
  return sum;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  look(0x10000, 0x20000);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
