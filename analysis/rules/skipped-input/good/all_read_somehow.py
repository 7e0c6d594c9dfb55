# verdict: clean
# near: 68, pairs, shifts and vectors
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
__global__ void means_of_pairs(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * (x[i & ~1] + x[i | 1]);
}
__global__ void shifted(const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[row * columns + c] = row == 0 ? 0.f : x[(row - 1) * columns + c];
}
__global__ void one_of_a_pair(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 pair = reinterpret_cast<const float2*>(x)[i / 2];
  y[i] = i % 2 ? pair.y : pair.x;
}
__global__ void swizzled(const float* x, float* y, int n) {
  const int block = (blockIdx.x % 32) * 32 + blockIdx.x / 32;
  const int i = block * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b, torch::Tensor c, torch::Tensor d) {
  const int n = a.numel(), blocks = (n + 255) / 256;
  auto p = torch::empty_like(a), q = torch::empty_like(b), r = torch::empty_like(c), s = torch::empty_like(d);
  means_of_pairs<<<blocks, 256>>>(a.data_ptr<float>(), p.data_ptr<float>(), n);
  shifted<<<b.size(0), 256>>>(b.data_ptr<float>(), q.data_ptr<float>(), b.size(0), b.size(1));
  one_of_a_pair<<<blocks, 256>>>(c.data_ptr<float>(), r.data_ptr<float>(), n);
  swizzled<<<blocks, 256>>>(d.data_ptr<float>(), s.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return torch::stack({p, q, r, s});  // expect: KA103
}
"""
SIGNATURE = "torch::Tensor forward(torch::Tensor a, torch::Tensor b, torch::Tensor c, torch::Tensor d);"
ext = load_inline(name="mixed", cpp_sources=SIGNATURE, cuda_sources=SOURCE, functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, a, b, c, d):
        return ext.forward(a, b, c, d)


def get_inputs():
    return [torch.randn(256, 1024, device="cuda") for _ in range(4)]


def get_init_inputs():
    return []
