# verdict: clean
# near: 62
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
__global__ void twice_kernel(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
void twice(torch::Tensor x) { twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), x.numel()); }
"""
ext = load_inline(name="in_place_ext", cpp_sources="void twice(torch::Tensor x);", cuda_sources=source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        y = x.clone()
        ext.twice(y)
        return y
