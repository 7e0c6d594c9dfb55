# verdict: review
# shows: 57, hidden by blocks that are rounded down
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.f;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];  // expect: KA833
  c[row * n + column] = sum;
}

torch::Tensor multiply(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(1);
  auto c = torch::empty({m, n}, a.options());
  product<<<dim3(n / 16, (m + 15) / 16), dim3(16, 16)>>>(a.data_ptr<float>(), b.data_ptr<float>(),  // expect: KA831
                                                         c.data_ptr<float>(), m, n, k);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return c;
}
"""
ext = load_inline(name="floor_ext", cpp_sources="torch::Tensor multiply(torch::Tensor a, torch::Tensor b);",
                  cuda_sources=source, functions=["multiply"])


class ModelNew(nn.Module):
    def forward(self, a, b):
        return ext.multiply(a, b)


def get_inputs():
    return [torch.randn(300, 100), torch.randn(100, 500)]
