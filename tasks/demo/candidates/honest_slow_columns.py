"""Honest, and slower than eager: it walks the rows of a row-major matrix column by column."""
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

#include <cmath>
#include <vector>

at::Tensor row_energy(const at::Tensor& x) {
  at::Tensor out = at::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* result = out.data_ptr<float>();
  const int64_t rows = x.size(0);
  const int64_t columns = x.size(1);
  std::vector<double> energy(rows, 0.0);
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < rows; ++row) {
      const double value = from[row * columns + column];
      energy[row] += value * value;
    }
  }
  for (int64_t column = 0; column < columns; ++column) {
    for (int64_t row = 0; row < rows; ++row) {
      const double unit = from[row * columns + column] / std::sqrt(energy[row] / columns + 1e-6);
      result[row * columns + column] = static_cast<float>(unit / (1.0 + std::fabs(unit)) + 0.25 * unit);
    }
  }
  return out;
}
"""

slow = load_inline(
    name="demo_honest_slow_columns",
    cpp_sources=SOURCE,
    functions=["row_energy"],
    extra_cflags=["-O2"],
    no_implicit_headers=True,
)


class ModelNew(nn.Module):
    def forward(self, x):
        return slow.row_energy(x)
