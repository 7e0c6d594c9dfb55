# verdict: clean
# near: 57, the rest is done all the same
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
__global__ void as_far_as_needed(const float* x, float* y, int n) {
  if (blockIdx.x >= (n + 255) / 256) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void spare_threads(const float* x, float* y, int n) {
  if (threadIdx.x >= 256) return;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void one_block_for_the_tail(const float* x, float* y, int n) {
  const int whole = n / 256;
  if (blockIdx.x == whole) {
    int i = whole * 256 + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.f);
    return;
  }
  int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = fmaxf(x[i], 0.f);
}
__global__ void either_way(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x & 1) {
    if (i < n) y[i] = x[i] > 0.f ? x[i] : 0.f;
    return;
  }
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void two_each(const float* x, float* y, int n) {
  if (threadIdx.x % 2) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
  if (i + 1 < n) y[i + 1] = fmaxf(x[i + 1], 0.f);
}
__global__ void some_blocks_in_turns(const float* x, float* y, int n) {
  if (blockIdx.x >= 128) return;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 128 * blockDim.x) y[i] = fmaxf(x[i], 0.f);
}
__global__ void lower_triangle(const float* x, float* y, int n) {
  const int row = blockIdx.x / 4, part = blockIdx.x % 4, column = part * 256 + threadIdx.x;
  if (part * 256 > row) {
    y[row * 1024 + column] = 0.f;
    return;
  }
  y[row * 1024 + column] = column <= row ? x[row * 1024 + column] : 0.f;
}
__global__ void producers_apart(const float* x, float* y, int n) {
  if (threadIdx.x < 32) return;
  int i = blockIdx.x * 256 + threadIdx.x - 32;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  int n = x.numel();
  int blocks = (n + 255) / 256;
  auto y0 = torch::empty_like(x);
  as_far_as_needed<<<blocks, 256>>>(x.data_ptr<float>(), y0.data_ptr<float>(), n);
  auto y1 = torch::empty_like(x);
  spare_threads<<<blocks, 288>>>(x.data_ptr<float>(), y1.data_ptr<float>(), n);
  auto y2 = torch::empty_like(x);
  one_block_for_the_tail<<<blocks, 256>>>(x.data_ptr<float>(), y2.data_ptr<float>(), n);
  auto y3 = torch::empty_like(x);
  either_way<<<blocks, 256>>>(x.data_ptr<float>(), y3.data_ptr<float>(), n);
  auto y4 = torch::empty_like(x);
  two_each<<<blocks, 256>>>(x.data_ptr<float>(), y4.data_ptr<float>(), n);
  auto y5 = torch::empty_like(x);
  some_blocks_in_turns<<<blocks, 256>>>(x.data_ptr<float>(), y5.data_ptr<float>(), n);
  auto y6 = torch::empty_like(x);
  lower_triangle<<<blocks, 256>>>(x.data_ptr<float>(), y6.data_ptr<float>(), n);
  auto y7 = torch::empty_like(x);
  producers_apart<<<blocks, 288>>>(x.data_ptr<float>(), y7.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return torch::stack({y0, y1, y2, y3, y4, y5, y6, y7});  // expect: KA103
}
"""
ext = load_inline(name="act", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=SOURCE,
                  functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.forward(x)


def get_inputs():
    return [torch.randn(256, 1024, device="cuda")]


def get_init_inputs():
    return []
