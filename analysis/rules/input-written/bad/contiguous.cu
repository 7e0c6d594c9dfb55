// verdict: review
// shows: 60, hidden by contiguous
#include <torch/extension.h>

__global__ void clear_kernel(unsigned long long address, int n) {
  float* x = reinterpret_cast<float*>(address);
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = 0.0f;
}
__global__ void square_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}
torch::Tensor forward(torch::Tensor given) {
  auto x = given.contiguous();
  auto y = torch::empty_like(x);
  clear_kernel<<<1, 256>>>((unsigned long long)x.data_ptr<float>(), x.numel() / 2);  // expect: KA532
  square_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
