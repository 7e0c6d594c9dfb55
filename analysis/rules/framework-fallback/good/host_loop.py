# verdict: clean
# near: 2
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = r"""
#include <torch/extension.h>
torch::Tensor twice(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const float* in = x.data_ptr<float>();
  float* out = y.data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) out[i] = in[i] * 2.0f;
  return y;
}
"""
ext = load_inline(name="twice_ext", cpp_sources=source, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)
