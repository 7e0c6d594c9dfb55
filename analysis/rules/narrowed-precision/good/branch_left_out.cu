// verdict: clean
// near: 49
#include <torch/extension.h>
#include <cuda_fp16.h>

constexpr bool kHalf = false;

__global__ void square_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if constexpr (kHalf) {
    const __half v = __float2half(x[i]);
    y[i] = __half2float(v * v);
  } else {
    y[i] = x[i] * x[i];
  }
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  square_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
