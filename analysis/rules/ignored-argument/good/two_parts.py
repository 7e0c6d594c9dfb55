# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double_into(x, y, n, columns, width, at, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n)
    tl.store(y + (i // columns) * width + at + i % columns, value * 2.0, mask=i < n)


@triton.jit
def square_into(x, y, n, columns, width, at, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n)
    tl.store(y + (i // columns) * width + at + i % columns, value * value, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        left, right = a.shape[1], b.shape[1]
        y = torch.empty(a.shape[0], left + right, device=a.device, dtype=a.dtype)
        double_into[(triton.cdiv(b.numel(), 1024),)](b, y, b.numel(), right, left + right, left, BLOCK=1024)
        square_into[(triton.cdiv(a.numel(), 1024),)](a, y, a.numel(), left, left + right, 0, BLOCK=1024)
        return y
