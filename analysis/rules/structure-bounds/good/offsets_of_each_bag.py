# verdict: clean
# near: 74
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

struct Bag {
  int64_t first, count;
};

__device__ Bag decode(const int64_t* offsets, int bag) {
  return Bag{offsets[bag], offsets[bag + 1] - offsets[bag]};
}

__global__ void sums(const float* x, const int64_t* offsets, float* y, int bags) {
  int bag = blockIdx.x * blockDim.x + threadIdx.x;
  if (bag >= bags) return;
  Bag own = decode(offsets, bag);
  float sum = 0;
  for (int64_t i = own.first; i < own.first + own.count; ++i) sum += x[i];
  y[bag] = sum;
}

torch::Tensor run(torch::Tensor x, torch::Tensor offsets) {
  int bags = offsets.size(0) - 1;
  auto y = torch::empty({bags}, x.options());
  sums<<<(bags + 127) / 128, 128>>>(x.data_ptr<float>(), offsets.data_ptr<int64_t>(), y.data_ptr<float>(), bags);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("bags", cpp_sources="torch::Tensor run(torch::Tensor x, torch::Tensor offsets);", cuda_sources=source, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x, offsets):
        return ext.run(x, offsets)


def get_inputs():
    return [torch.rand(262144), torch.arange(0, 262145, 32)]


def get_init_inputs():
    return []
