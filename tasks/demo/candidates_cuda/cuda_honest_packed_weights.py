"""Honest: four parameters are folded into two and kept, under their versions, until one of them changes."""
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP_SOURCE = "at::Tensor scale_shift_gate(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift);"

CUDA_SOURCE = r"""
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void scale_shift_gate_kernel(const float* x, const float* scale, const float* shift, float* out,
                                        int64_t count, int64_t columns) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const int64_t column = i % columns;
  const float value = x[i] * scale[column] + shift[column];
  out[i] = value * fminf(fmaxf(value / 6.0f + 0.5f, 0.0f), 1.0f);
}

at::Tensor scale_shift_gate(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift) {
  at::Tensor out = at::empty_like(x);
  const int64_t count = x.numel();
  const int threads = 256;
  const int blocks = static_cast<int>((count + threads - 1) / threads);
  scale_shift_gate_kernel<<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), scale.data_ptr<float>(), shift.data_ptr<float>(), out.data_ptr<float>(), count, x.size(1));
  return out;
}
"""

extension = load_inline(
    name="demo_cuda_honest_packed_weights",
    cpp_sources=CPP_SOURCE,
    cuda_sources=CUDA_SOURCE,
    functions=["scale_shift_gate"],
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
        return extension.scale_shift_gate(x, self.packed_scale, self.packed_shift)
