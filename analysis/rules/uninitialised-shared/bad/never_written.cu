// verdict: review
// shows: 59
#include <torch/extension.h>

__global__ void left_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + tile[threadIdx.x];  // expect: KA533
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  left_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
