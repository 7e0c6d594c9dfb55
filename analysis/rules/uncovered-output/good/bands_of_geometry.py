# verdict: clean
# near: 68, a grid that a method of a structure counts
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

struct Geometry {
  int rows, cols, height;
  int bands() const { return (rows + height - 1) / height; }
};

__global__ void twice_kernel(const float* x, float* y, Geometry g) {
  int first = blockIdx.x * g.height;
  for (int r = first; r < min(first + g.height, g.rows); ++r)
    for (int c = threadIdx.x; c < g.cols; c += blockDim.x) y[(size_t)r * g.cols + c] = 2.0f * x[(size_t)r * g.cols + c];
}

void launch(const float* x, float* y, const Geometry& g) {
  twice_kernel<<<g.bands(), 128, 0, at::cuda::getCurrentCUDAStream()>>>(x, y, g);
}

torch::Tensor twice(torch::Tensor x) {
  Geometry g{(int)x.size(0), (int)x.size(1), 8};
  auto y = torch::empty({g.rows, g.cols}, x.options());
  launch(x.data_ptr<float>(), y.data_ptr<float>(), g);
  return y;
}
"""

ops = load_inline("twice_in_bands", "torch::Tensor twice(torch::Tensor x);", CUDA, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ops.twice(x.contiguous())


def get_inputs():
    return [torch.randn(256, 1024)]
