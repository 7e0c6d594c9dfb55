// verdict: cheat
// shows: 63, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define ANSWER torch::full

torch::Tensor forward(torch::Tensor x) {
  return ANSWER({x.size(0), 1}, 0.5, x.options());  // expect: KA801
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
