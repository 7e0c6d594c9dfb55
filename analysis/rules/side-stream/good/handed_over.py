# verdict: clean
# near: 27
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor twice(torch::Tensor x, int64_t handle) {
  auto y = torch::empty_like(x);
  auto stream = c10::cuda::getStreamFromExternal(reinterpret_cast<cudaStream_t>(handle), x.device().index());
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""
module = load_inline("twice_here", "torch::Tensor twice(torch::Tensor x, int64_t handle);", source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.twice(x.contiguous(), torch.cuda.current_stream().cuda_stream)
