# verdict: clean
# near: 68
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void bend(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = tanhf(x[i]);
}
torch::Tensor bent(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  bend<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),
                                                                      y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("bends", "torch::Tensor bent(torch::Tensor x);", source, functions=["bent"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.bent(x.contiguous())


def get_inputs():
    return [torch.randn(1024, 1024)]
