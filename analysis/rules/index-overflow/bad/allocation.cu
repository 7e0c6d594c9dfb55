// verdict: clean
#include <torch/extension.h>

typedef int Where;
#define SIDE 65536
__global__ void fill_kernel(const float* x, float* y) {
  const Where i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < SIDE) y[i] = x[i % 256] * 2.0f;  // expect: KA906
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({SIDE, SIDE}, x.options());
  fill_kernel<<<1 << 24, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
