# verdict: clean
# near: 16
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <utility>
__global__ void blur_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * (x[i] + (i > 0 ? x[i - 1] : 0.f));
}
struct Buffers { torch::Tensor a, b; };
static Buffers& buffers() { static Buffers all; return all; }
torch::Tensor blur(torch::Tensor x, int64_t steps) {
  auto& kept = buffers();
  if (!kept.a.defined()) { kept.a = torch::empty_like(x); kept.b = torch::empty_like(x); }
  auto y = torch::empty_like(x);
  int n = x.numel(), blocks = (n + 255) / 256;
  const float* from = x.data_ptr<float>();
  float* now = kept.a.data_ptr<float>();
  float* next = kept.b.data_ptr<float>();
  for (int64_t s = 0; s + 1 < steps; ++s) {
    blur_kernel<<<blocks, 256>>>(from, now, n);
    from = now;
    std::swap(now, next);
  }
  blur_kernel<<<blocks, 256>>>(from, y.data_ptr<float>(), n);
  return y;
}
"""
ext = load_inline(name="pointers_take_turns", cpp_sources="torch::Tensor blur(torch::Tensor x, int64_t steps);", cuda_sources=source, functions=["blur"])


class ModelNew(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def forward(self, x):
        return ext.blur(x, self.steps)


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return [6]
