# verdict: review
# near: 20
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor twice(torch::Tensor x) {
  static torch::Tensor work;
  static int multiprocessors = 0;
  if (!work.defined() || work.numel() != x.numel()) work = torch::empty_like(x);
  if (multiprocessors == 0) cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), work.data_ptr<float>(), x.numel());
  return work;
}
"""
ext = load_inline(name="work_ext", cpp_sources="torch::Tensor twice(torch::Tensor x);", cuda_sources=source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)  # expect: KA231
