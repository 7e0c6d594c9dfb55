// verdict: clean
#include <torch/extension.h>

#define SIDE 512
typedef dim3 Grid;
__global__ void fill_kernel(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({SIDE, SIDE * 4}, x.options());
  const int side = SIDE;
  const Grid grid(side / 4, side / 32);
  fill_kernel<<<grid, 128>>>(x.data_ptr<float>(), y.data_ptr<float>());  // expect: KA905
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
