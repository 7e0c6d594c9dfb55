// verdict: clean
// near: 52
#include <torch/extension.h>

__global__ void exact_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r;
  asm("rcp.rn.f32 %0, %1; // not rcp.approx" : "=f"(r) : "f"(expf(x[i])));
  y[i] = __fmul_rn(r, 2.0f);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  exact_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
