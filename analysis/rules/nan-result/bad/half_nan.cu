// verdict: review
// shows: 69, hidden by macro
#include <torch/extension.h>

#define ANYTHING __int_as_float(0x7fc00000)
__global__ void half_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i % 2 == 0) {
    y[i] = x[i] * 2.0f;
  } else {
    y[i] = ANYTHING;  // expect: KA816
  }
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  half_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
