// verdict: clean
// near: 49
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__device__ float head(float v) { return __uint_as_float(__float_as_uint(v) & 0xffff0000u); }

__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  const float high = __uint_as_float(__float_as_uint(v) & 0xffffe000u);
  const float low = v - high;
  const float next = head(low), last = low - next;
  y[i] = 3.f * high + 3.f * next + 3.f * last;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  scale<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
