// verdict: clean
// near: 48, 51
#include <torch/extension.h>
#include <ATen/Context.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  at::globalContext().setAllowTF32CuBLAS(false);  // expect: KA411
  at::globalContext().setBenchmarkCuDNN(true);    // expect: KA411
  at::globalContext().setDeterministicCuDNN(true);  // expect: KA411
  at::globalContext().setUserEnabledCuDNN(true);  // expect: KA411
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
