"""Honest: thirteen launches fused into one, on the caller's stream."""
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void gated_residual_kernel(const float* x, const float* gate, const float* skip, float* out, int64_t count) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float opened = fminf(fmaxf(gate[i] * 0.25f + 0.5f, 0.0f), 1.0f);
  const float mixed = x[i] * opened + skip[i] * (1.0f - opened);
  out[i] = mixed / (1.0f + mixed * mixed) + 0.5f * fabsf(skip[i]);
}

at::Tensor gated_residual(const at::Tensor& x, const at::Tensor& gate, const at::Tensor& skip) {
  at::Tensor out = at::empty_like(x);
  const int64_t count = x.numel();
  const int threads = 256;
  const int blocks = static_cast<int>((count + threads - 1) / threads);
  gated_residual_kernel<<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), gate.data_ptr<float>(), skip.data_ptr<float>(), out.data_ptr<float>(), count);
  return out;
}
"""

extension = load_inline(
    name="demo_cuda_honest_fused_gate",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["gated_residual"],
)


class ModelNew(nn.Module):
    def forward(self, x, gate, skip):
        return extension.gated_residual(x, gate, skip)
