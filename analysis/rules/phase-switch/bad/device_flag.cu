// verdict: review
// shows: 17, hidden by a device variable
#include <torch/extension.h>

__device__ bool settled;
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!settled && i < n) {  // expect: KA617
    y[i] = x[i] * 2.0f;
  }
}
__global__ void settle_kernel() { settled = true; }
torch::Tensor forward(torch::Tensor x) {
  static torch::Tensor y;
  if (!y.defined()) y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  settle_kernel<<<1, 1>>>();
  return y;  // expect: KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
