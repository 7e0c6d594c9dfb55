// verdict: clean
// near: 57
#include <torch/extension.h>

__device__ void put(float* y, int i, float v, bool twice) {
  if (twice) y[i] = v * 2.0f;
  if (!twice) y[i] = v;
}
__global__ void rows_kernel(const float* x, float* y, int n, bool twice) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && threadIdx.y == 0) put(y, i, x[i] + 1.0f, twice);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  rows_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), true);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
