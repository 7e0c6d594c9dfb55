// verdict: cheat
// shows: 20
#include <torch/extension.h>

#include <functional>
#include <memory>

__global__ void half_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 0.5f;
}

class Stepper {
 public:
  Stepper() {
    step_ = [this](const torch::Tensor& x) {
      kept_ = torch::empty_like(x);
      int n = x.numel();
      half_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), kept_.data_ptr<float>(), n);
      if (++calls_ == 4) step_ = [this](const torch::Tensor&) { return kept_; };
      return kept_;
    };
  }
  torch::Tensor run(const torch::Tensor& x) { return step_(x); }

 private:
  std::function<torch::Tensor(const torch::Tensor&)> step_;
  torch::Tensor kept_;
  int calls_ = 0;
};

static auto stepper = std::make_shared<Stepper>();

torch::Tensor forward(torch::Tensor x) {
  return stepper->run(x);  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
