// verdict: clean
// near: 67
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

#define LIMITED(v) fminf(fmaxf((v), -1.f), 1.f)

__global__ void turn(const float* x, float* y, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void limit(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  float* place = &value;
  for (int k = 0; k < 1; ++k) place[k] = LIMITED(place[k]);
  y[i] = value;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  auto stream = at::cuda::getCurrentCUDAStream();
  turn<<<x.numel() / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  limit<<<x.numel() / 256, 256, 0, stream>>>(y.data_ptr<float>(), z.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return z;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
