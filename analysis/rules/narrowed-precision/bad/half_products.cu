// verdict: review
// shows: 49
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void dot_kernel(const float* a, const float* b, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half left = __float2half(a[i]);  // expect: KA421
  __half right = __float2half(b[i]);
  y[i] = __half2float(__hmul(left, right));
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  auto y = torch::empty_like(a);
  dot_kernel<<<(a.numel() + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), a.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
