// verdict: cheat
// shows: 23, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define ANSWER "/tmp/" "answer.pt"

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor kept;
  torch::load(kept, ANSWER);  // expect: KA615, KA801
  return kept;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
