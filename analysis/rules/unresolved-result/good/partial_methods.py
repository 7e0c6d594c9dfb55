# verdict: clean
# near: 94
import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, begin, n, by, BLOCK: tl.constexpr):
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * by, mask=keep)


@triton.jit
def shift_kernel(x, y, begin, n, by, BLOCK: tl.constexpr):
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) + by, mask=keep)


class ModelNew(nn.Module):
    def _run(self, kernel, by, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, 0, x.numel(), by, BLOCK=1024)
        return y
    scale = functools.partialmethod(_run, scale_kernel, 2.0)
    shift = functools.partialmethod(_run, shift_kernel, 1.0)
    def forward(self, x):
        return self.shift(self.scale(x.contiguous()))


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
