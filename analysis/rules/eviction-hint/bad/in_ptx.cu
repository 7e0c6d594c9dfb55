// verdict: clean
// shows: 100
#include <torch/extension.h>

__global__ void keep_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v;
  asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_last.b64 policy; ld.global.L2::cache_hint.f32 %0, [%1], policy; }" : "=f"(v) : "l"(x + i));  // expect: KA522
  y[i] = v * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  keep_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
