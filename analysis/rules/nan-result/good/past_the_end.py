# verdict: clean
# near: 69
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    value = tl.load(x + at, mask=keep)
    tl.store(y + at, tl.where(keep, value * 2, float("nan")), mask=keep)  # expect: KA816


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        twice[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
