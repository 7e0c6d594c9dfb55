# verdict: review
# shows: 7, hidden by string building
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
template <bool kLargest>
__global__ void pick(const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = x[row * columns];
  for (int i = 1; i < columns; ++i) {
    float each = x[row * columns + i];
    best = kLargest ? fmaxf(best, each) : fminf(best, each);
  }
  y[row] = best;
}
template <bool kLargest>
torch::Tensor picked(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  int rows = x.size(0);
  pick<kLargest><<<(rows + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), rows, x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
torch::Tensor row_max(torch::Tensor x) { return picked<true>(x); }
torch::Tensor row_min(torch::Tensor x) { return std::get<0>(x.min(1)); }  // expect: KA114
"""
KINDS = ("max", "min")


class Built:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner):
        return load_inline(
            name="row_picks",
            cpp_sources="".join(f"torch::Tensor row_{kind}(torch::Tensor x);" for kind in KINDS),
            cuda_sources=SOURCE,
            functions=[f"row_{kind}" for kind in KINDS],
        )


class Library:
    ext = Built()


class ModelNew(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind not in KINDS:
            raise KeyError(kind)
        self.run = getattr(Library.ext, "row_" + kind)

    def forward(self, x):
        return self.run(x)
