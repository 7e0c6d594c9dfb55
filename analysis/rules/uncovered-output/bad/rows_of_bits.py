# verdict: review
# shows: 68, hidden by bits
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void bend(const float* x, float* y, int columns) {
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[(size_t)blockIdx.x * columns + c] = tanhf(x[(size_t)blockIdx.x * columns + c]);
}
torch::Tensor bent(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int rows = x.size(0);
  bend<<<rows & ~127, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),  // expect: KA831
                                                                  y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("bends", "torch::Tensor bent(torch::Tensor x);", source, functions=["bent"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.bent(x.contiguous())


def get_inputs():
    return [torch.randn(1000, 1024)]
