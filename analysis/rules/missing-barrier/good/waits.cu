// verdict: clean
#include <torch/extension.h>

__global__ void reverse_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  const float own = tile[threadIdx.x];
  __syncthreads();
  if (i < n) y[i] = tile[255 - threadIdx.x] + own;
}
__global__ void carved_kernel(const float* x, float* y, int n) {
  extern __shared__ float all[];
  float* second = &all[blockDim.x];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  second[threadIdx.x] = i < n ? x[i] : 0.0f;
  if (i < n) y[i] = second[threadIdx.x];
}
__global__ void tree_kernel(const float* x, float* y, int n) {
  __shared__ float parts[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] += parts[0];
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  tree_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  carved_kernel<<<(x.numel() + 255) / 256, 256, 2048>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
