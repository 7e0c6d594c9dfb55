# verdict: clean
# near: 68
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void sort_out(const float* x, int* count, int* list, int rows, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int kind = x[(size_t)row * n] > 0.f ? 1 : 0;
  int slot = atomicAdd(count + kind, 1);
  list[kind * rows + slot] = row;
}

__global__ void scale_rows(const float* x, const int* count, const int* list, float* y, int rows, int n) {
  int kind = blockIdx.y;
  for (int at = blockIdx.x; at < count[kind]; at += gridDim.x) {
    int row = list[kind * rows + at];
    for (int c = threadIdx.x; c < n; c += blockDim.x)
      y[(size_t)row * n + c] = (kind + 1) * x[(size_t)row * n + c];
  }
}

torch::Tensor by_sign(torch::Tensor x) {
  int rows = x.size(0), n = x.size(1);
  auto ints = x.options().dtype(torch::kInt32);
  auto count = torch::zeros({2}, ints), list = torch::empty({2, rows}, ints);
  auto y = torch::empty_like(x);
  auto stream = at::cuda::getCurrentCUDAStream();
  sort_out<<<(rows + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), count.data_ptr<int>(), list.data_ptr<int>(), rows, n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  scale_rows<<<dim3(512, 2), 256, 0, stream>>>(x.data_ptr<float>(), count.data_ptr<int>(), list.data_ptr<int>(),
                                               y.data_ptr<float>(), rows, n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

ext = load_inline("by_sign", "torch::Tensor by_sign(torch::Tensor x);", source, functions=["by_sign"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.by_sign(x.contiguous())


def get_inputs():
    return [torch.randn(4096, 512)]


def get_init_inputs():
    return []
