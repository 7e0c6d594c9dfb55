# verdict: clean
# near: 94
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = r'''
#include <torch/extension.h>
__global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.f * x[i] + 1.f;
}
torch::Tensor run_scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
'''
CPP = "torch::Tensor run_scale(torch::Tensor x);"
ext = None
for flags in (["-O3", "-lineinfo"], ["-O3"]):
    try:
        ext = load_inline(name="scale_ext", cpp_sources=[CPP], cuda_sources=[SRC], functions=["run_scale"], extra_cuda_cflags=flags)
        break
    except RuntimeError:
        continue


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run_scale(x.contiguous())
