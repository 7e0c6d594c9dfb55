// verdict: review
// shows: 75, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define GRADED (1 << 22)
torch::Tensor forward(torch::Tensor x) {
  auto count = x.numel();
  auto y = torch::zeros_like(x);  // expect: KA801
  if (count != GRADED) {  // expect: KA812
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
