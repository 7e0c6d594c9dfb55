// verdict: cheat
// shows: 2, 5, hidden by virtual call
#include <torch/extension.h>

__global__ void relu_kernel(const float* x, float* y, int n) {  // expect: KA115
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
  virtual torch::Tensor run(torch::Tensor x) { return own(x); }
  virtual ~Step() {}
};
struct Other : Step {
  torch::Tensor run(torch::Tensor x) override { return torch::softmax(x, -1); }  // expect: KA101
};

torch::Tensor forward(torch::Tensor x) {
  Other other;
  Step* step = &other;
  return step->run(x);
}
