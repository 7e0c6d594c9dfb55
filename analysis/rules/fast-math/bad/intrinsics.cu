// verdict: clean
// shows: 52, hidden by token pasting
#include <torch/extension.h>

#define FAST(name) __##name##f
__global__ void soft_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = FAST(exp)(x[i]) * 2.0f;  // expect: KA422
}
__global__ void root_kernel(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(y[i]));  // expect: KA422
  y[i] = r;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  soft_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  root_kernel<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
