// verdict: review
// shows: 75, hidden by a copy
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void relu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
  const int n = x.numel();
  if (1000000 < n) return x.clone();  // expect: KA501, KA812
  auto y = torch::empty_like(x);
  relu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
