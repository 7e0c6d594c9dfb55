// verdict: clean
// near: 1
#include <torch/extension.h>

__global__ void gate(const float* x, float* y, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* row = x + i / half * 2 * half;
  y[i] = row[i % half] / (1.0f + expf(-row[half + i % half]));
}

torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  auto shape = x.sizes().vec();
  shape.back() /= 2;
  auto y = torch::empty(shape, x.options());
  int n = y.numel();
  gate<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), shape.back(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
