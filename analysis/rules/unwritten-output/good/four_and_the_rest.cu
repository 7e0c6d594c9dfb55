// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void relu4(const float4* __restrict__ x, float4* __restrict__ y, int64_t n4) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = x[i];
  v.x = fmaxf(v.x, 0.f); v.y = fmaxf(v.y, 0.f); v.z = fmaxf(v.z, 0.f); v.w = fmaxf(v.w, 0.f);
  y[i] = v;
}
__global__ void relu1(const float* x, float* y, int64_t n, int64_t from) {
  int64_t i = from + blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  const int64_t n = x.numel(), n4 = n / 4;
  const bool aligned = reinterpret_cast<uintptr_t>(x.data_ptr()) % 16 == 0;
  if (aligned && n4 > 0) relu4<<<(n4 + 255) / 256, 256>>>((const float4*)x.data_ptr<float>(), (float4*)y.data_ptr<float>(), n4);
  const int64_t from = aligned ? n4 * 4 : 0;
  if (from < n) relu1<<<(n - from + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, from);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &relu); }
