// verdict: review
// shows: 68, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define BLOCKS(n) ((n) >> SHIFT)
#define SHIFT 9
typedef dim3 Grid;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = static_cast<int>(x.numel());
  const Grid grid(BLOCKS(n) + 1);
  twice_kernel<<<grid, dim3(32, 8)>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);  // expect: KA831
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
