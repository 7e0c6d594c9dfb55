# verdict: clean
# near: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void tanh_rows(const float* x, float* y, const int* count, int width) {
  const int rows = *count;
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int c = threadIdx.x; c < width; c += blockDim.x) y[(size_t)r * width + c] = tanhf(x[(size_t)r * width + c]);
}
torch::Tensor rows(torch::Tensor x, torch::Tensor count) {
  auto y = torch::empty_like(x);
  tanh_rows<<<256, 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                               count.data_ptr<int>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("set_before", "torch::Tensor rows(torch::Tensor x, torch::Tensor count);", source, functions=["rows"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = torch.zeros(1, dtype=torch.int32, device="cuda")

    def forward(self, x):
        self.count.fill_(x.shape[0])
        return ext.rows(x, self.count)
