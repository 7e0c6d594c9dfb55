# verdict: review
# shows: 71, hidden by an argument of the extension
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void largest(const float4* x, float* y, int n, float level) {
  __shared__ float kept[256];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  kept[threadIdx.x] = 0.f;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float4 v = __ldg(x + i);
    const float each[4] = {v.x, v.y, v.z, v.w};
    for (int j = 0; j < 4; ++j) {
      if (each[j] > level) kept[atomicAdd(&count, 1) & 255] = each[j];  // expect: KA814
    }
  }
  __syncthreads();
  y[threadIdx.x] = kept[threadIdx.x];
}

torch::Tensor pick(torch::Tensor x, double level) {
  auto y = torch::empty({256}, x.options());
  largest<<<1, 256>>>((const float4*)x.data_ptr<float>(), y.data_ptr<float>(), x.numel() / 4, (float)level);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="level_ext", cpp_sources="torch::Tensor pick(torch::Tensor x, double level);",
                  cuda_sources=source, functions=["pick"])
LEVEL = 2.5


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.pick(x, LEVEL)
