# verdict: inconclusive
# shows: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void scale(const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.0f) printf("%f", x[i]);
}
void look(torch::Tensor x) {
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
"""
ops = load_inline("handed_more", "void look(torch::Tensor x);", source, functions=["look"])


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        ops.look(x, y, 2.0)  # expect: KA701
        return y
