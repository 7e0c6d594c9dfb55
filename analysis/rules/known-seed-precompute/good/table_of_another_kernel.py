# verdict: clean
# near: 18
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


@triton.jit
def add_kernel(a, b, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(a + i, mask=keep) + tl.load(b + i, mask=keep), mask=keep)


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        torch.manual_seed(0)
        self.register_buffer("table", scale(torch.randn(n, device="cuda")))

    def forward(self, x):
        y = torch.empty_like(x)
        add_kernel[(triton.cdiv(y.numel(), 1024),)](x, self.table, y, y.numel(), BLOCK=1024)
        return y
