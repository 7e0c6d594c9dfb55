# verdict: clean
# near: 71
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void scale_rows(const float* x, float* y, int columns) {
  __shared__ float total;
  const float4* row = reinterpret_cast<const float4*>(x + blockIdx.x * columns);
  if (threadIdx.x == 0) total = 0.f;
  __syncthreads();
  float sum = 0.f;
  for (int i = threadIdx.x; i < columns / 4; i += blockDim.x) {
    const float4 v = row[i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int i = columns / 4 * 4 + threadIdx.x; i < columns; i += blockDim.x) {  // none where it divides
    const float rest = x[blockIdx.x * columns + i];
    sum += rest * rest;
  }
  atomicAdd(&total, sum);
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[blockIdx.x * columns + i] = x[blockIdx.x * columns + i] * rsqrtf(total / columns);
}

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale_rows<<<x.size(0), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="whole_rows_ext", cpp_sources="torch::Tensor scale(torch::Tensor x);", cuda_sources=source,
                  functions=["scale"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.scale(x)


def get_inputs():
    return [torch.randn(256, 512)]
