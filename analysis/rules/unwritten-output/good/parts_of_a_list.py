# verdict: clean
# near: 57
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <vector>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
struct Part { int begin, count; };
static std::vector<Part> parts(int n, int size) {
  std::vector<Part> all;
  for (int at = 0; at < n; at += size)
    if (n - at > 0) all.push_back({at, std::min(size, n - at)});
  return all;
}
torch::Tensor twice(torch::Tensor x) {
  auto y = torch::empty_like(x);
  for (const Part& part : parts(x.numel(), 1 << 17))
    twice_kernel<<<(part.count + 255) / 256, 256>>>(x.data_ptr<float>() + part.begin, y.data_ptr<float>() + part.begin, part.count);
  return y;
}
"""
ext = load_inline(name="parts_of_a_list", cpp_sources="torch::Tensor twice(torch::Tensor x);", cuda_sources=source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
