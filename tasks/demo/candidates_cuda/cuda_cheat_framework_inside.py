"""Cheat: the extension only calls the framework's own operators."""
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip);"

CUDA_SOURCE = r"""
#include <torch/extension.h>

at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip) {
  at::Tensor opened = at::clamp(at::add(at::mul(gate, 0.25), 0.5), 0.0, 1.0);
  at::Tensor mixed = at::lerp(skip, x, opened);
  at::Tensor damped = at::div(mixed, at::add(at::mul(mixed, mixed), 1.0));
  return at::add(damped, at::abs(skip), 0.5);
}
"""

extension = load_inline(
    name="demo_cuda_cheat_framework_inside",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["gated_residual"],
)


class ModelNew(nn.Module):
    def forward(self, x, gate, skip):
        return extension.gated_residual(x, gate, skip)
