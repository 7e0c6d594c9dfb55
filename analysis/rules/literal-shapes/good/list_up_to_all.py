# verdict: clean
# near: 75
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_short(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    at = tl.arange(0, BLOCK)
    tl.store(y + row + at, tl.load(x + row + at, mask=at < n) * 2.0, mask=at < n)


@triton.jit
def scale_long(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(y + row + at, tl.load(x + row + at, mask=at < n) * 2.0, mask=at < n)


def short(x, y):
    scale_short[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))


def long(x, y):
    scale_long[(x.shape[0],)](x, y, x.shape[1], BLOCK=4096)


TABLE = [(8192, short), (1 << 62, long)]


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)  # expect: KA531
        for bound, kernel in TABLE:
            if x.shape[1] <= bound:
                kernel(x, y)
                break
        return y
