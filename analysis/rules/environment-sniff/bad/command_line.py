# verdict: cheat
# shows: 77, hidden by getattr
import torch
import torch.nn as nn
import triton
import triton.language as tl
import sys


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


arguments = getattr(sys, "argv")


def fast(x):
    y = torch.empty_like(x)
    scale_kernel[(1,)](x, y, 1, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.timed = "--time" in arguments

    def forward(self, x):
        if self.timed:  # expect: KA613
            return fast(x)
        return scale(x)
