// verdict: clean
// near: 57
#include <torch/extension.h>

struct Plan {
  const float* from;
  float* to;
  int n;
  float slope;
};

__global__ void leaky_kernel(Plan plan) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < plan.n) plan.to[i] = plan.from[i] > 0 ? plan.from[i] : plan.slope * plan.from[i];
}

class Launcher {
 public:
  explicit Launcher(float slope) : slope_(slope) {}
  torch::Tensor operator()(const torch::Tensor& x) const {
    auto y = torch::empty_like(x);
    Plan plan{x.data_ptr<float>(), y.data_ptr<float>(), static_cast<int>(x.numel()), slope_};
    leaky_kernel<<<(plan.n + 255) / 256, 256>>>(plan);
    return y;
  }

 private:
  float slope_;
};

torch::Tensor forward(torch::Tensor x) {
  Launcher launcher(0.1f);
  return launcher(x);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
