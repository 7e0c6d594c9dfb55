# verdict: review
# shows: 4
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void relu(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(y[i], 0.0f);
}
torch::Tensor run(torch::Tensor x, torch::Tensor w, std::vector<int64_t> stride, int64_t groups, int64_t axis) {
  auto first = torch::conv2d(x, w, {}, stride, stride, stride, groups);
  auto second = torch::conv_transpose2d(first, w, {}, 1, 0);
  auto third = torch::cudnn_convolution(second, w, {1, 1}, {1, 1}, {1, 1}, 1, false, true);
  auto y = at::convolution(third, w, {}, stride, stride, stride, false, {0, 0}, groups);  // expect: KA103
  const int64_t last = at::maybe_wrap_dim(axis, y.dim());
  const int n = y.numel() / y.size(last) * y.size(last);
  auto count = torch::full({1}, 1.0f / n, torch::dtype(x.dtype()).device(x.device()));
  relu<<<(n + 255) / 256, 256>>>(y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ops = load_inline(
    "left_out_bias",
    "torch::Tensor run(torch::Tensor x, torch::Tensor w, std::vector<int64_t> stride, int64_t groups, int64_t axis);",
    source,
    functions=["run"],
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, 8, 3, 3))

    def forward(self, x):
        return ops.run(x, self.weight, [1, 1], 1, -1)
