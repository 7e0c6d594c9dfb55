// verdict: clean
// near: 72
#include <torch/extension.h>

__global__ void softmax_kernel(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = -1e30f, sum = 0.0f, gate = 0.0f;
  for (int j = 0; j < columns; ++j) most = fmaxf(most, x[row * columns + j]);
  for (int j = 0; j < columns; ++j) sum += expf(x[row * columns + j] - most);
  for (int j = 0; j < columns; ++j) gate += 1.0f / (1.0f + expf(-x[row * columns + j]));
  for (int j = 0; j < columns; ++j) y[row * columns + j] = expf(x[row * columns + j] - most) / sum * gate;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  softmax_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
