// verdict: clean
// near: 67
#include <torch/extension.h>

__global__ void turn_kernel(const float* x, float* y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) y[(i % columns) * rows + i / columns] = x[i];
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(1), x.size(0)}, x.options());
  turn_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
