// verdict: clean
#include <torch/extension.h>

__global__ void tile_kernel(const float* x, float* y, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  tile_kernel<<<(x.numel() + 255) / 256, 256, 16384>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
