# verdict: review
# shows: 57
# What the kernel fills may be another buffer than the one that is returned.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, spare):
        super().__init__()
        self.spare = spare

    def forward(self, x):
        y = torch.empty_like(x)  # expect: KA531
        scratch = torch.empty_like(x)
        into = scratch if self.spare else y
        twice[(triton.cdiv(x.numel(), 1024),)](x, into, x.numel(), BLOCK=1024)
        return y
