# verdict: clean
# near: 5, numbers that the runtime fills in
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_kernel(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * 2.0f;
}

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int processors = 0, per_processor = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, scale_kernel, 256, 0);
  int blocks = processors * per_processor;
  scale_kernel<<<dim3(blocks), dim3(256)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""
ext = load_inline(name="blocks_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source, functions=["scale"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.scale(x)


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
