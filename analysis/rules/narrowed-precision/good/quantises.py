# verdict: clean
# near: 49
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cstdint>
__global__ void pack(const float* x, int8_t* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = static_cast<int8_t>(rintf(fminf(fmaxf(x[i] * 32.f, -127.f), 127.f)));
}
torch::Tensor quantise(torch::Tensor x) {
  const int n = x.numel();
  auto q = torch::empty({n}, x.options().dtype(torch::kInt8));
  pack<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), q.data_ptr<int8_t>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return q;
}
"""
ext = load_inline("quantises", "torch::Tensor quantise(torch::Tensor x);", source, functions=["quantise"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.quantise(x.contiguous())


def get_inputs():
    return [torch.randn(512, 2048)]
