// verdict: review
// shows: 59
#include <torch/extension.h>

__global__ void rows_kernel(const float* x, float* y, int n) {
  __shared__ float rows[4][64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* row = rows[threadIdx.x / 64];
  if (i < n) y[i] = x[i] + row[threadIdx.x % 64];  // expect: KA533
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  rows_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
