// verdict: clean
// near: 1
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void products(const float* x, const float* w, float* y, int rows, int in, int out) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= out || row >= rows) return;
  float sum = 0.f;
  for (int k = 0; k < in; ++k) sum += x[size_t(row) * in + k] * w[size_t(column) * in + k];
  y[size_t(row) * out + column] = sum;
}

__global__ void clip(float* y, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) y[at] = fmaxf(y[at], 0.f);
}

namespace layers {

torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& w, int rows, int out) {
  auto y = torch::empty({rows, out}, x.options());
  products<<<dim3((out + 255) / 256, rows), 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), rows, x.size(1), out);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

}  // namespace layers

namespace {

torch::Tensor relu(const torch::Tensor& y, bool checked) {
  clip<<<(y.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(y.data_ptr<float>(), y.numel());
  if (checked) C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

}  // namespace

namespace layers {

torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
  return relu(linear(x, w, (int)x.size(0), (int)w.size(0)), true);
}

}  // namespace layers

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &layers::forward); }
