# verdict: review
# shows: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def root(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.sqrt(tl.load(x + at, mask=at < n)), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))  # expect: KA811
        self.shift = nn.Parameter(torch.zeros(width))  # expect: KA811

    def forward(self, x):
        y = torch.empty_like(x)
        root[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
