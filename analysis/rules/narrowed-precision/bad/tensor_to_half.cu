// verdict: review
// shows: 49
#include <torch/extension.h>
#include <cuda_fp16.h>

__global__ void widen_kernel(const __half* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __half2float(x[i]) * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto narrow = x.to(torch::kHalf);  // expect: KA421
  auto y = torch::empty_like(x);
  widen_kernel<<<(x.numel() + 255) / 256, 256>>>(reinterpret_cast<const __half*>(narrow.data_ptr()), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
