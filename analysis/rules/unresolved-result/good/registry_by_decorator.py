# verdict: clean
# near: 94
import enum

import torch
import torch.nn as nn
import triton
import triton.language as tl

KERNELS = {}


class Kind(enum.Enum):
    DOUBLE = "double"
    NEGATE = "negate"


def register(kind):
    def wrap(kernel):
        KERNELS[kind] = kernel
        return kernel

    return wrap


@register(Kind.DOUBLE)
@triton.jit
def double_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2.0, mask=i < n)


@register(Kind.NEGATE)
@triton.jit
def negate_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, -tl.load(x + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, kind="double"):
        super().__init__()
        self.kind = Kind(kind)

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        KERNELS[self.kind][(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
