// verdict: clean
#include <torch/extension.h>

__global__ void own_element_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  if (threadIdx.x == 0) y[blockIdx.x] = tile[0];
}

__global__ void warp_kernel(const float* x, float* y, int n) {
  __shared__ float parts[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncwarp();
  if (i < n) y[i] += parts[threadIdx.x ^ 1];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::zeros_like(x);
  own_element_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  warp_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
