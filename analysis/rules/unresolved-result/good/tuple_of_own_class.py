# verdict: clean
# near: 1
from collections import namedtuple
from typing import NamedTuple

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def extremes(x, low, high, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    keep = at < n
    tl.store(low + row, tl.min(tl.load(x + row * n + at, mask=keep, other=float("inf")), 0))
    tl.store(high + row, tl.max(tl.load(x + row * n + at, mask=keep, other=-float("inf")), 0))


class Range(tuple):
    low = property(lambda self: self[0])
    high = property(lambda self: self[1])


Spread = namedtuple("Spread", ["low", "high"])


class Both(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


Pair = namedtuple("Pair", ["low", "high"])


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, n = x.shape
        low, high = (torch.empty(rows, device=x.device) for _ in range(2))
        extremes[(rows,)](x, low, high, n, BLOCK=triton.next_power_of_2(n))
        if rows == 1:
            return Both(low, high)
        if rows == 2:
            return Pair(low, high)
        if rows == 3:
            return Spread(*[low, high])
        return Range((low, high))
