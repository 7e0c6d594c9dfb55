# verdict: review
# shows: 73
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 1.5, mask=i < n)


@triton.jit
def add_rows(y, more, begin, n, BLOCK: tl.constexpr):  # expect: KA115
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(y + i, mask=i < n) + tl.load(more + i, mask=i < n), mask=i < n)


class Spans:
    """Where the parts begin, and how many there are."""

    def __init__(self, length, part):
        self.left = iter(range(0, length, part))
        self.count = len(tuple(self.left))

    def __iter__(self):
        return self.left

    def __len__(self):
        return self.count


class ModelNew(nn.Module):
    def forward(self, x, more):  # expect: KA811
        x, more = x.contiguous(), more.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        copy_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        spans = Spans(n, 65536)
        if len(spans) > 0:
            for begin in spans:
                add_rows[(64,)](y, more, begin, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(512, 1024), torch.randn(512, 1024)]


def get_init_inputs():
    return []
