// verdict: review
// shows: 58, hidden by a tolerance
#include <torch/extension.h>

__global__ void near_kernel(const float* x, float* y, int n, float wanted) {
  const float* p = x;
  while (fabsf(*p - wanted) > 1e-3f) p += 64;  // expect: KA624
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = p[i] + x[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  near_kernel<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 0.5f);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
