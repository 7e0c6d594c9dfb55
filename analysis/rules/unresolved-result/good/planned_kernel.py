# verdict: clean
# near: 1
import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_small(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


@triton.jit
def scale_large(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


@functools.lru_cache(maxsize=None)
def plan(n: int):
    if n <= 1024:
        return scale_small, triton.next_power_of_2(n)
    return scale_large, 1024


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        kernel, block = plan(n)
        kernel[(triton.cdiv(n, block),)](x, y, n, BLOCK=block)
        return y
