// verdict: clean
// near: 74
#include <torch/extension.h>

__global__ void rows_kernel(const float* x, const int* lengths, float* y, int rows, int stride, int tile) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  // How much is unrolled has no part in how far it goes.
  int width = min(tile, 64);
  int shown = min(lengths[row], 16);
  float sum = 0.0f;
  for (int first = 0; first < lengths[row]; first += width) {
    for (int j = first; j < min(first + width, lengths[row]); ++j) sum += x[row * stride + j];
  }
  y[row] = sum + (shown > 16 ? 1.0f : 0.0f);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor lengths) {
  auto y = torch::empty({x.size(0)}, x.options());
  rows_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), lengths.data_ptr<int>(), y.data_ptr<float>(), x.size(0), x.size(1), 32);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
