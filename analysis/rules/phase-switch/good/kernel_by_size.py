# verdict: clean
# near: 42
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exact(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(y + i, v * tl.sigmoid(v), mask=i < n)


@triton.jit
def exact_wide(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(y + i, v * tl.sigmoid(v), mask=i < n)


def kernel(n):
    return exact if n < 2**31 else exact_wide


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        y = torch.empty_like(x)
        self.calls += 1
        kernel(x.numel())[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
