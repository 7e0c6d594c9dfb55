// verdict: review
// shows: 2
#include <torch/extension.h>

__global__ void cap_kernel(float* y, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = fminf(y[i], 6.0f);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
  torch::Tensor y = at::linear(x, w);  // expect: KA103; says: called in the extension's C++ code
  cap_kernel<<<(y.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), y.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }



