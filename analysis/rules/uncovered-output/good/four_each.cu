// verdict: clean
// near: 68
#include <torch/extension.h>

__global__ void four_kernel(const float4* x, float4* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = make_float4(x[i].x * 2, x[i].y * 2, x[i].z * 2, x[i].w * 2);
}
__global__ void strided_kernel(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  if (n % 4 == 0) {
    four_kernel<<<(n / 4 + 255) / 256, 256>>>(reinterpret_cast<const float4*>(x.data_ptr<float>()), reinterpret_cast<float4*>(y.data_ptr<float>()), n / 4);
  } else {
    strided_kernel<<<n / 1024 + 1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
