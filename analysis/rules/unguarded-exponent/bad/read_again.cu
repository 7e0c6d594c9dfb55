// verdict: review
// shows: 72, by way of the result
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void raise(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = expf(x[i]);  // expect: KA815
}

__global__ void scale(float* y, int width) {
  __shared__ float sums[128];
  float own = 0.f;
  for (int j = threadIdx.x; j < width; j += 128) own += y[blockIdx.x * width + j];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (int half = 64; half > 0; half >>= 1) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  for (int j = threadIdx.x; j < width; j += 128) y[blockIdx.x * width + j] /= sums[0];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto stream = at::cuda::getCurrentCUDAStream();
  raise<<<(x.numel() + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  scale<<<x.size(0), 128, 0, stream>>>(y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
