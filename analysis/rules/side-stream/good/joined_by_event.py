# verdict: clean
# near: 27
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor twice(torch::Tensor x) {
  static cudaStream_t side = nullptr;
  static cudaEvent_t done = nullptr;
  if (side == nullptr) {
    cudaStreamCreate(&side);
    cudaEventCreate(&done);
  }
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA302
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(at::cuda::getCurrentCUDAStream(), done, 0);
  return y;
}
"""
ext = load_inline(name="event_ext", cpp_sources="torch::Tensor twice(torch::Tensor x);", cuda_sources=source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)
