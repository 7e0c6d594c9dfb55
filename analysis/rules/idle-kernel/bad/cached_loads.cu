// verdict: review
// shows: 67, hidden by loads through the read-only cache
#include <torch/extension.h>

__global__ void activation(const float* __restrict__ x, float* __restrict__ y, int n) {  // expect: KA832
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = __ldg(&x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  activation<<<1024, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;  // expect: KA501
}
