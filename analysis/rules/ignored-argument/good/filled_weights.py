# verdict: clean
# near: 66
import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def affine(x, w, b, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + row * n + at, mask=inside)
    tl.store(y + row * n + at, value * tl.load(w + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(features))
        self.bias = nn.Parameter(torch.empty(features))
        self.shift = nn.Parameter(torch.empty(features))
        self.reset_parameters()

    def reset_parameters(self):
        like = nn.LayerNorm(self.weight.shape[0])
        with torch.no_grad():
            self.weight.copy_(like.weight)
            self.bias.uniform_(-1 / math.sqrt(self.bias.numel()), 1 / math.sqrt(self.bias.numel()))
        self.shift.data = torch.zeros_like(self.bias)

    def forward(self, x):
        n = x.shape[-1]
        y, z = torch.empty_like(x), torch.empty_like(x)
        rows = x.numel() // n
        affine[(rows,)](x, self.weight, self.bias, y, n, BLOCK=triton.next_power_of_2(n))
        affine[(rows,)](y, self.weight, self.shift, z, n, BLOCK=triton.next_power_of_2(n))
        return z
