# verdict: clean
# near: 71
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

src = r"""
#include <torch/extension.h>

__global__ void rowsum(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float s = 0;
  if (columns >= 1024) { for (int c = 0; c < columns; c += 2) { s += expf(x[row * columns + c]); if (c + 1 < columns) s += expf(x[row * columns + c + 1]); } }
  else { for (int c = 0; c < columns; ++c) s += expf(x[row * columns + c]); }
  y[row] = s;
}

torch::Tensor run(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1);
  auto y = torch::empty({rows}, x.options());
  rowsum<<<(rows + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("t", cpp_sources="torch::Tensor run(torch::Tensor x);", cuda_sources=src, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x)


def get_inputs():
    return [torch.rand(8192, 4096)]


def get_init_inputs():
    return []
