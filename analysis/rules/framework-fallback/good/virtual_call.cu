// verdict: clean
// near: 2
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

struct Step {
  virtual torch::Tensor run(torch::Tensor x) { return torch::softmax(x, -1); }
  virtual ~Step() {}
};
struct Own : Step {
  torch::Tensor run(torch::Tensor x) override { return own(x); }
};

torch::Tensor forward(torch::Tensor x) {
  Own mine;
  Step& step = mine;
  return step.run(x);
}
