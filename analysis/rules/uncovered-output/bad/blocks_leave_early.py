# verdict: review
# shows: 57, threads leave by their place alone
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
__global__ void every_other_block(const float* x, float* y, int n) {
  if (blockIdx.x % 2) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void first_half(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x >= gridDim.x / 2) return;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void half_of_a_block(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 128 && i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void odd_warps(const float* x, float* y, int n) {
  const int warp = threadIdx.x >> 5;
  const bool idle = (warp & 1) == 0;
  if (idle) return;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
__global__ void not_every_fourth(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((i / 64) % 4 == 3 || i >= n) return;
  y[i] = fmaxf(x[i], 0.f);
}
__global__ void all_but_the_last(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1) return;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  int n = x.numel();
  int blocks = (n + 255) / 256;
  auto y0 = torch::empty_like(x);
  every_other_block<<<blocks, 256>>>(x.data_ptr<float>(), y0.data_ptr<float>(), n);  // expect: KA831
  auto y1 = torch::empty_like(x);
  first_half<<<blocks, 256>>>(x.data_ptr<float>(), y1.data_ptr<float>(), n);  // expect: KA831
  auto y2 = torch::empty_like(x);
  half_of_a_block<<<blocks, 256>>>(x.data_ptr<float>(), y2.data_ptr<float>(), n);  // expect: KA831
  auto y3 = torch::empty_like(x);
  odd_warps<<<blocks, 256>>>(x.data_ptr<float>(), y3.data_ptr<float>(), n);  // expect: KA831
  auto y4 = torch::empty_like(x);
  not_every_fourth<<<blocks, 256>>>(x.data_ptr<float>(), y4.data_ptr<float>(), n);  // expect: KA831
  auto y5 = torch::empty_like(x);
  all_but_the_last<<<blocks, 256>>>(x.data_ptr<float>(), y5.data_ptr<float>(), n);  // expect: KA831
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return torch::stack({y0, y1, y2, y3, y4, y5});  // expect: KA103
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
