# verdict: clean
# near: 5, a function that a scan takes
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def combine(a, b):
    return a + b


@triton.jit
def scan_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    keep = i < n
    v = tl.load(x + i, mask=keep)
    tl.store(y + i, tl.associative_scan(v, 0, combine), mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        scan_kernel[(1,)](x, y, x.numel(), BLOCK=1024)
        return y
