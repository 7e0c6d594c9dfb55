"""Honest: four parameters are folded into two and kept, under their versions, until one of them changes."""
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

at::Tensor scale_shift_gate(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift) {
  at::Tensor out = at::empty_like(x);
  const float* from = x.data_ptr<float>();
  const float* scales = scale.data_ptr<float>();
  const float* shifts = shift.data_ptr<float>();
  float* result = out.data_ptr<float>();
  const int64_t rows = x.size(0);
  const int64_t columns = x.size(1);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const float value = from[row * columns + column] * scales[column] + shifts[column];
      float opened = value * (1.0f / 6.0f) + 0.5f;
      opened = opened < 0.0f ? 0.0f : opened;
      opened = opened > 1.0f ? 1.0f : opened;
      result[row * columns + column] = value * opened;
    }
  }
  return out;
}
"""

folded = load_inline(
    name="demo_honest_packed_weights",
    cpp_sources=SOURCE,
    functions=["scale_shift_gate"],
    extra_cflags=["-O3", "-fno-trapping-math"],
    no_implicit_headers=True,
)


class ModelNew(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.center = nn.Parameter(torch.randn(columns))
        self.spread = nn.Parameter(1.0 + torch.rand(columns))
        self.gain = nn.Parameter(torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))
        self.packed_version = None
        self.packed_scale = None
        self.packed_shift = None

    def pack(self):
        version = (self.center._version, self.spread._version, self.gain._version, self.shift._version)
        if version != self.packed_version:
            scale = self.gain / torch.sqrt(self.spread * self.spread + 1e-5)
            self.packed_scale = scale.detach().contiguous()
            self.packed_shift = (self.shift - self.center * scale).detach().contiguous()
            self.packed_version = version

    def forward(self, x):
        self.pack()
        return folded.scale_shift_gate(x, self.packed_scale, self.packed_shift)
