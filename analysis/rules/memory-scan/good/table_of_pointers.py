# verdict: clean
# near: 58
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void add_all(const long* table, float* y, int count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.f;
  for (int t = 0; t < count; ++t) {
    const float* x = reinterpret_cast<const float*>(table[t]);
    sum += x[i];
  }
  y[i] = sum;
}
torch::Tensor sum(std::vector<torch::Tensor> all) {
  auto y = torch::empty_like(all[0]);
  const int n = y.numel();
  auto host = torch::empty({(long)all.size()}, torch::kInt64);
  for (size_t t = 0; t < all.size(); ++t) host.data_ptr<int64_t>()[t] = (int64_t)all[t].data_ptr<float>();
  auto table = host.to(y.device());
  add_all<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>((const long*)table.data_ptr<int64_t>(),
                                                                         y.data_ptr<float>(), all.size(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("summed", "torch::Tensor sum(std::vector<torch::Tensor> all);", source, functions=["sum"])


class ModelNew(nn.Module):
    def forward(self, a, b):
        return ext.sum([a.contiguous(), b.contiguous()])
