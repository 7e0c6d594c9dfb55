# verdict: review
# shows: 74, the first offset and rows of one length, and the second offset taken for the length of all
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def from_first(values, offsets, y, LENGTH: tl.constexpr):
    row = tl.program_id(0)
    first = tl.load(offsets)  # expect: KA813
    i = tl.arange(0, LENGTH)
    tl.store(y + row, tl.sum(tl.load(values + first + row * LENGTH + i), axis=0))


@triton.jit
def bounds(offsets, row, rows, n):
    length = tl.load(offsets + tl.minimum(1, rows - 1))  # expect: KA813
    begin = row * length
    return begin, tl.minimum(begin + length, n)


@triton.jit
def by_second(values, offsets, y, rows, n):
    row = tl.program_id(0)
    begin, end = bounds(offsets, row, rows, n)
    total = 0.0
    at = begin
    while at < end:
        total += tl.load(values + at)
        at += 1
    tl.store(y + row, total)


class ModelNew(nn.Module):
    def forward(self, values, starts, others):
        rows = others.shape[0]
        y = torch.empty((2, rows), device=values.device)
        from_first[(rows,)](values, starts.contiguous(), y[0], LENGTH=64)
        by_second[(rows,)](values, others.contiguous(), y[1], rows, values.shape[0])
        return y


def get_inputs():
    return [torch.randn(8192 * 64), torch.arange(0, 8192 * 64 + 1, 64), torch.arange(0, 8192 * 64, 64)]
