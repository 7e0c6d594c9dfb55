// verdict: clean
#include <torch/extension.h>

__global__ void fill_kernel(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({1024, 1024}, x.options());
  fill_kernel<<<1024, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());  // expect: KA905
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
