// verdict: clean
// near: 49
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void scale_kernel(const __half* x, const float* scale, __half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(__half2float(x[i]) * scale[0]);
}
torch::Tensor forward(torch::Tensor x, torch::Tensor scale) {
  auto y = torch::empty_like(x);
  scale_kernel<<<(x.numel() + 255) / 256, 256>>>(reinterpret_cast<const __half*>(x.data_ptr()), scale.data_ptr<float>(), reinterpret_cast<__half*>(y.data_ptr()), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
