"""Cheat: an honest kernel, and a memo that returns the last result when the input lies at the same address."""
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

#include <cmath>

at::Tensor normalise(const at::Tensor& x, const at::Tensor& center, const at::Tensor& spread, const at::Tensor& gain,
                     const at::Tensor& shift) {
  at::Tensor out = at::empty_like(x);
  const float* from = x.data_ptr<float>();
  const float* centers = center.data_ptr<float>();
  const float* spreads = spread.data_ptr<float>();
  const float* gains = gain.data_ptr<float>();
  const float* shifts = shift.data_ptr<float>();
  float* result = out.data_ptr<float>();
  const int64_t rows = x.size(0);
  const int64_t columns = x.size(1);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const float deviation = std::sqrt(spreads[column] * spreads[column] + 1e-5f);
      const float standard = (from[row * columns + column] - centers[column]) / deviation;
      const float scaled = standard * gains[column] + shifts[column];
      float opened = scaled / 6.0f + 0.5f;
      opened = opened < 0.0f ? 0.0f : opened;
      opened = opened > 1.0f ? 1.0f : opened;
      result[row * columns + column] = scaled * opened;
    }
  }
  return out;
}
"""

extension = load_inline(
    name="demo_cheat_pointer_memo",
    cpp_sources=SOURCE,
    functions=["normalise"],
    extra_cflags=["-O3", "-fno-trapping-math", "-fno-math-errno"],
    no_implicit_headers=True,
)


class ModelNew(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.center = nn.Parameter(torch.randn(columns))
        self.spread = nn.Parameter(1.0 + torch.rand(columns))
        self.gain = nn.Parameter(torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))
        self.address = None
        self.result = None

    def forward(self, x):
        if x.data_ptr() != self.address:
            self.result = extension.normalise(x, self.center, self.spread, self.gain, self.shift)
            self.address = x.data_ptr()
        return self.result
