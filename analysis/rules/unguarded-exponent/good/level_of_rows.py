# verdict: clean
# near: 72
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def raised(v, level):
    return tl.exp(v - level)


@triton.jit
def largest(x, level, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(level + tl.program_id(0), tl.max(v, axis=0))


@triton.jit
def softmax_row(x, y, level, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = at < columns
    row = tl.program_id(0) * columns
    e = raised(tl.load(x + row + at, mask=keep, other=-float("inf")), tl.load(level + tl.program_id(0)))
    tl.store(y + row + at, e / tl.sum(e, axis=0), mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        level = torch.empty(x.shape[0], device=x.device)
        block = triton.next_power_of_2(x.shape[1])
        largest[(x.shape[0],)](x, level, x.shape[1], BLOCK=block)
        softmax_row[(x.shape[0],)](x, y, level, x.shape[1], BLOCK=block)
        return y
