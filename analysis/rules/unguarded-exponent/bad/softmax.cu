// verdict: review
// shows: 72
#include <torch/extension.h>

__global__ void softmax_kernel(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += expf(x[row * columns + j]);  // expect: KA815
  for (int j = 0; j < columns; ++j) y[row * columns + j] = expf(x[row * columns + j]) / sum;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  softmax_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
