# verdict: review
# shows: 68, a number for the rest
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
__global__ void zeros_by_odd_blocks(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (blockIdx.x & 1) {
    y[i] = 0.f;
    return;
  }
  y[i] = fmaxf(x[i], 0.f);
}
__global__ void zeros_by_half_a_block(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = threadIdx.x < 128 ? fmaxf(x[i], 0.f) : 0.f;
}
__global__ void zeros_in_the_second_half(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int half = n / 2;
  if (i < half) {
    y[i] = fmaxf(x[i], 0.f);
  } else if (i < n) {
    y[i] = 0.f;
  }
}
torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  int n = x.numel();
  int blocks = (n + 255) / 256;
  auto y0 = torch::empty_like(x);
  zeros_by_odd_blocks<<<blocks, 256>>>(x.data_ptr<float>(), y0.data_ptr<float>(), n);  // expect: KA831; says: sets the rest to a number
  auto y1 = torch::empty_like(x);
  zeros_by_half_a_block<<<blocks, 256>>>(x.data_ptr<float>(), y1.data_ptr<float>(), n);  // expect: KA831; says: sets the rest to a number
  auto y2 = torch::empty_like(x);
  zeros_in_the_second_half<<<blocks, 256>>>(x.data_ptr<float>(), y2.data_ptr<float>(), n);  // expect: KA831; says: sets the rest to a number
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return torch::stack({y0, y1, y2});  // expect: KA103
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
