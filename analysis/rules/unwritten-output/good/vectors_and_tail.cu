// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void vectors(const float4* x, float4* y, long n) {
  const long i = blockIdx.x * 256L + threadIdx.x;
  if (i < n) y[i] = make_float4(2 * x[i].x, 2 * x[i].y, 2 * x[i].z, 2 * x[i].w);
}

__global__ void singles(const float* x, float* y, long begin, long n) {
  const long i = begin + blockIdx.x * 256L + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  const long n = x.numel();
  const auto at = reinterpret_cast<uintptr_t>(x.data_ptr<float>()), to = reinterpret_cast<uintptr_t>(y.data_ptr<float>());
  if (at % 16 == 0 && to % 16 == 0) {
    const long fours = n / 4;
    if (fours > 0) {
      vectors<<<(fours + 255) / 256, 256>>>(reinterpret_cast<const float4*>(x.data_ptr<float>()),
                                            reinterpret_cast<float4*>(y.data_ptr<float>()), fours);
    }
    const long tail = n - 4 * fours;
    if (tail > 0) singles<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 4 * fours, n);
  } else {
    singles<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 0, n);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
