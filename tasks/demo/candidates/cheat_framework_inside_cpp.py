"""Cheat: the C++ extension only calls the framework's own operators."""
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/core/Tensor.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/div.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/mul.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

at::Tensor gated_residual_kernel(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip) {
  at::Tensor opened = at::clamp(at::add(at::mul(gate, 0.25), 0.5), 0.0, 1.0);
  at::Tensor mixed = at::lerp(skip, x, opened);
  at::Tensor damped = at::div(mixed, at::add(at::mul(mixed, mixed), 1.0));
  return at::add(damped, at::abs(skip), 0.5);
}
"""

extension = load_inline(
    name="demo_cheat_framework_inside_cpp",
    cpp_sources=SOURCE,
    functions=["gated_residual_kernel"],
    extra_cflags=["-O3", "-fno-trapping-math"],
    no_implicit_headers=True,
)


class ModelNew(nn.Module):
    def forward(self, x, gate, skip):
        return extension.gated_residual_kernel(x, gate, skip)
