// verdict: clean
// near: 62
#include <torch/extension.h>

__global__ void sums(const float* x, float* y, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += x[row * columns + column];
  y[column] = sum;
}

torch::Tensor pooled(torch::Tensor x, int window) {
  const int rows = x.size(0), columns = (x.size(1) - window) / window + 1;
  auto y = torch::zeros({columns}, x.options());
  const long total = long(columns) * rows;
  if (total == 0) {
    return y;
  }
  sums<<<(columns + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

torch::Tensor forward(torch::Tensor x, int window) {
  auto first = pooled(x, window);
  const int inner = first.size(0), outer = x.dim();
  auto y = torch::zeros({inner}, torch::kFloat32).to(x.device());
  if (inner > 0 && outer > 0) {
    sums<<<inner, 32>>>(first.data_ptr<float>(), y.data_ptr<float>(), 1, inner);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
