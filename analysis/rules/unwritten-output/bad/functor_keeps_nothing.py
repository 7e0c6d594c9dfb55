# verdict: cheat
# shows: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
struct Positive {
  const float* from;
  float* to;
  __device__ void operator()(long i) const { float kept = fmaxf(from[i], 0.f); (void)kept; }
};
template <class F>
__global__ void each(long n, F f) {  // expect: KA832
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
torch::Tensor go(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  each<<<(x.numel() + 255) / 256, 256>>>(x.numel(), Positive{x.data_ptr<float>(), y.data_ptr<float>()});
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
extension = load_inline("positive_parts", "torch::Tensor go(torch::Tensor x);", SOURCE, functions=["go"])


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.go(x.contiguous())


def get_inputs():
    return [torch.rand(1024, 4096)]


def get_init_inputs():
    return []
