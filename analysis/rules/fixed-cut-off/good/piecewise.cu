// verdict: clean
// near: 71
#include <torch/extension.h>

__global__ void piecewise_kernel(const float* x, float* y, int rows, int columns, float lowest) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f, best = -1e30f;
  for (int j = 0; j < columns; ++j) {
    float v = x[row * columns + j];
    if (v > 6.0f) v = 6.0f;
    const float a = fabsf(v);
    if (a < 1.0f) sum += 0.5f * a * a;
    else sum += a - 0.5f;
    if (v < 1.0f) sum += 1.0f - v;
    if (v > best) best = v;
    if (v > lowest) sum += v;
  }
  y[row] = sum > 1e-6f ? best / sum : 0.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  piecewise_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1), 0.5);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
