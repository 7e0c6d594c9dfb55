// verdict: clean
// near: 59
#include <torch/extension.h>

__device__ void fill(float* to, float value) { to[threadIdx.x] = value; }

__global__ void helped_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fill(tile, i < n ? x[i] : 0.0f);
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  helped_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
