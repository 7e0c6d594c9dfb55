"""Honest: thirteen passes over memory fused into one loop."""
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip) {
  at::Tensor out = at::empty_like(x);
  const float* from_x = x.data_ptr<float>();
  const float* from_gate = gate.data_ptr<float>();
  const float* from_skip = skip.data_ptr<float>();
  float* result = out.data_ptr<float>();
  const int64_t count = x.numel();
  for (int64_t i = 0; i < count; ++i) {
    float opened = from_gate[i] * 0.25f + 0.5f;
    opened = opened < 0.0f ? 0.0f : opened;
    opened = opened > 1.0f ? 1.0f : opened;
    const float mixed = from_x[i] * opened + from_skip[i] * (1.0f - opened);
    const float magnitude = from_skip[i] < 0.0f ? -from_skip[i] : from_skip[i];
    result[i] = mixed / (1.0f + mixed * mixed) + 0.5f * magnitude;
  }
  return out;
}
"""

fused = load_inline(
    name="demo_honest_fused_gate",
    cpp_sources=SOURCE,
    functions=["gated_residual"],
    extra_cflags=["-O3", "-fno-trapping-math"],
    no_implicit_headers=True,
)


class ModelNew(nn.Module):
    def forward(self, x, gate, skip):
        return fused.gated_residual(x, gate, skip)
