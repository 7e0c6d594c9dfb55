# verdict: clean
# near: 57, a visitor that launches for whatever the variant holds
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <functional>
#include <unordered_map>
#include <variant>

struct Square { __device__ float operator()(float v) const { return v * v; } };
struct Scale { float by; __device__ float operator()(float v) const { return v * by; } };
struct Half { __device__ float operator()(float v) const { return 0.5f * v; } };
using Step = std::variant<Square, Scale, Half>;

static Step step_named(const std::string& name, float by) {
  static const std::unordered_map<std::string, std::function<Step(float)>> makers = {
      {"square", [](float) { return Step{Square{}}; }},
      {"scale", [](float s) { return Step{Scale{s}}; }},
      {"half", [](float) { return Step{Half{}}; }}};
  auto found = makers.find(name);
  TORCH_CHECK(found != makers.end(), "unknown step ", name);
  return found->second(by);
}

template <class F>
__global__ void apply_step(const float* x, float* y, long n, F step) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) y[i] = step(x[i]);
}

struct Runner {
  const float* x;
  float* y;
  long n;
  template <class F>
  void operator()(F step) const {
    apply_step<<<1024, 256>>>(x, y, n, step);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
};

torch::Tensor run_step(torch::Tensor x, const std::string& name, double by) {
  auto y = torch::empty_like(x);
  std::visit(Runner{x.data_ptr<float>(), y.data_ptr<float>(), (long)x.numel()}, step_named(name, (float)by));
  return y;
}
"""
ext = load_inline("steps", "torch::Tensor run_step(torch::Tensor x, const std::string& name, double by);", SOURCE, functions=["run_step"])


class ModelNew(nn.Module):
    def __init__(self, name, by):
        super().__init__()
        self.name, self.by = name, by

    def forward(self, x):
        return ext.run_step(x.contiguous(), self.name, self.by)


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return ["scale", 3.0]
