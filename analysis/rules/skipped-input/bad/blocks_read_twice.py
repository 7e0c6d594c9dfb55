# verdict: review
# shows: 68, hidden by bits of a block's number
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/cuda/CUDAException.h>
__global__ void relu_kernel(const float* x, float* y, int n) {
  const int from = (blockIdx.x & ~3) * blockDim.x + threadIdx.x;
  const int to = blockIdx.x * blockDim.x + threadIdx.x;
  if (to < n) y[to] = fmaxf(__ldg(x + from), 0.f);
}
torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const int n = x.numel();
  relu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);  // expect: KA833
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline(name="relu", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=SOURCE,
                  functions=["forward"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.forward(x)


def get_inputs():
    return [torch.randn(256, 1024, device="cuda")]


def get_init_inputs():
    return []
