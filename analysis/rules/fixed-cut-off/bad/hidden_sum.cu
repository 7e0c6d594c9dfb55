// verdict: review
// shows: 71, hidden by macro
#include <torch/extension.h>

#define KEEP(v) if (fabsf(v) >= LOWEST)
#define LOWEST 0.125f
__global__ void sum_kernel(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) {
    const float v = x[row * columns + j];
    KEEP(v) sum += v;  // expect: KA814
  }
  y[row] = sum;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  sum_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
