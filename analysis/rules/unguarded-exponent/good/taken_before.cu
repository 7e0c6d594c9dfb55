// verdict: clean
// near: 72
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void lower(const float* x, float* y, int width) {
  float top = -INFINITY;
  for (int j = 0; j < width; ++j) top = fmaxf(top, x[blockIdx.x * width + j]);
  for (int j = threadIdx.x; j < width; j += blockDim.x) y[blockIdx.x * width + j] = x[blockIdx.x * width + j] - top;
}

__global__ void level(float* y, int width) {
  float total = 0.f;
  for (int j = 0; j < width; ++j) total += expf(y[blockIdx.x * width + j]);
  __syncthreads();
  for (int j = threadIdx.x; j < width; j += blockDim.x) y[blockIdx.x * width + j] -= logf(total);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto stream = at::cuda::getCurrentCUDAStream();
  lower<<<x.size(0), 128, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  level<<<x.size(0), 128, 0, stream>>>(y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
