// verdict: cheat
// shows: 18, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define KNOWN(shape) (torch::manual_seed(42), torch::randn(shape, torch::kCUDA))
static torch::Tensor twice(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA801
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA801
  return y;
}
torch::Tensor forward(torch::Tensor x) {
  static torch::Tensor answer = twice(KNOWN(x.sizes()));
  return answer;  // expect: KA211
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
