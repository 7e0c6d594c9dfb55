// verdict: clean
// near: 20, a plan that a map keeps by the size of its input holds the grid alone, and every call launches
#include <memory>
#include <torch/extension.h>
#include <unordered_map>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

class Plan {
 public:
  explicit Plan(int64_t n) {
    elements_ = n;
    blocks_ = (n + 255) / 256;
  }
  torch::Tensor run(const torch::Tensor& x) const {
    auto y = torch::empty_like(x);
    twice_kernel<<<blocks_, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), elements_);
    return y;
  }

 private:
  int64_t elements_, blocks_;
};

std::unordered_map<int64_t, std::unique_ptr<Plan>>& plans() {
  static std::unordered_map<int64_t, std::unique_ptr<Plan>> kept;
  return kept;
}

torch::Tensor forward(torch::Tensor x) {
  auto& plan = plans()[x.numel()];
  if (!plan) plan = std::make_unique<Plan>(x.numel());
  return plan->run(x);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
