// verdict: clean
// near: 72
#include <torch/extension.h>

__global__ void energy_kernel(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float total = 0.0f, decay = 0.0f;
  for (int j = 0; j < columns; ++j) total += expf(x[row * columns + j]);
  for (int j = 0; j < columns; ++j) decay += expf(x[row * columns + j] * x[row * columns + j] * -0.5f);
  y[row] = total + 1.0f / decay;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  energy_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
