// verdict: clean
#include <torch/extension.h>

__global__ void reverse_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  if (i < n) y[i] = tile[255 - threadIdx.x];  // expect: KA902
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
