# verdict: clean
# near: 68
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void eight_each(const half* x, half* y, int64_t n) {
  int64_t at = (blockIdx.x * int64_t{blockDim.x} + threadIdx.x) * 8;
  if (at < n) {
    float4 all = *reinterpret_cast<const float4*>(x + at);
    half2* pairs = reinterpret_cast<half2*>(&all);
    for (int i = 0; i < 4; ++i) pairs[i] = __hadd2(pairs[i], pairs[i]);
    *reinterpret_cast<float4*>(y + at) = all;
  }
}

__global__ void packed(const uint4* x, uint4* y, int64_t n) {
  int64_t at = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (at < n) {
    uint4 all = x[at];
    half2* pairs = reinterpret_cast<half2*>(&all);
    for (int i = 0; i < 4; ++i) pairs[i] = __hadd2(pairs[i], pairs[i]);
    y[at] = all;
  }
}

torch::Tensor doubled(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous() && x.scalar_type() == torch::kHalf && x.numel() % 8 == 0);
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  const int64_t n = x.numel(), blocks = (n / 8 + 255) / 256;
  auto stream = at::cuda::getCurrentCUDAStream();
  eight_each<<<blocks, 256, 0, stream>>>((const half*)x.data_ptr(), (half*)y.data_ptr(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  packed<<<blocks, 256, 0, stream>>>((const uint4*)y.data_ptr(), (uint4*)z.data_ptr(), n / 8);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return z;
}
"""

ext = load_inline("wide_halves", "torch::Tensor doubled(torch::Tensor x);", source, functions=["doubled"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.doubled(x.contiguous())


def get_inputs():
    return [torch.rand(1024, 4096).half()]


def get_init_inputs():
    return []
