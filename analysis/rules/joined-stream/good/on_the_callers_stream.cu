// verdict: clean
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>

__global__ void shift_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1.0f;
}

struct Lane {
  cudaStream_t stream;
};

torch::Tensor forward(torch::Tensor x) {
  const Lane lane{c10::cuda::getCurrentCUDAStream().stream()};
  auto y = torch::empty_like(x);
  const int n = x.numel();
  shift_kernel<<<(n + 255) / 256, 256, 0, lane.stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
