// verdict: cheat
// shows: 2
#include <torch/extension.h>

__global__ void relu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.0f);
}

torch::Tensor own(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  relu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

struct Plan {
  torch::Tensor y;
  void run(const torch::Tensor& x) { y = torch::softmax(x, -1); }  // expect: KA101
};

torch::Tensor forward(torch::Tensor x) {
  Plan plan;
  plan.y = own(x);
  plan.run(x);
  return plan.y;
}
