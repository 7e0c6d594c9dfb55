// verdict: review
// shows: 17, hidden by a device variable
#include <torch/extension.h>

__device__ int launches;
__global__ void twice_kernel(const float* x, float* y, int n) {
  if (launches > 100) return;  // expect: KA617
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
  if (i == 0) atomicAdd(&launches, 1);
}
torch::Tensor forward(torch::Tensor x) {
  static torch::Tensor y;
  if (!y.defined()) y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;  // expect: KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
