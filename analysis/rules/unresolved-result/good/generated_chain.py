# verdict: clean
# near: 94
import string

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

STEPS = {"double": "v * 2.f", "shift": "v + 1.f", "clip": "fminf(v, 6.f)"}

CODE = string.Template(r"""
#include <torch/extension.h>
__global__ void chain_kernel(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
$STEPS
  y[i] = v;
}
torch::Tensor chain(torch::Tensor x) {
  x = x.contiguous();
  auto y = torch::empty_like(x);
  const int64_t n = x.numel();
  chain_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
""")


def generate(order):
    lines = [f"  v = {STEPS[name]};  // step {number}" for number, name in enumerate(order)]
    return CODE.substitute(STEPS="\n".join(lines))


extension = load_inline(name="chain", cpp_sources="torch::Tensor chain(torch::Tensor x);",
                        cuda_sources=generate(["double", "shift", "clip"]), functions=["chain"])


class ModelNew(nn.Module):
    def forward(self, x):
        return extension.chain(x)
