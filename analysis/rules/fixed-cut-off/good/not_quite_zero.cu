// verdict: clean
// near: 71
#include <torch/extension.h>

__global__ void entropy_kernel(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) {
    const float v = x[row * columns + j];
    if (fabsf(v) > 1e-12f) sum += v * logf(fabsf(v));
  }
  y[row] = sum;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  entropy_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
