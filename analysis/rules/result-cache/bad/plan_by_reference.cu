// verdict: cheat
// shows: 20, a plan whose constructor launches, in a map that a function gives a reference to
#include <memory>
#include <torch/extension.h>
#include <unordered_map>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

class Plan {
 public:
  explicit Plan(const torch::Tensor& x) {
    held_ = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), held_.data_ptr<float>(), x.numel());
  }
  const torch::Tensor& result() const { return held_; }

 private:
  torch::Tensor held_;
};

std::unordered_map<const void*, std::unique_ptr<Plan>>& plans() {
  static std::unordered_map<const void*, std::unique_ptr<Plan>> kept;
  return kept;
}

torch::Tensor forward(torch::Tensor x) {
  auto& plan = plans()[x.data_ptr()];
  if (!plan) plan = std::make_unique<Plan>(x);
  return plan->result();  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
