# verdict: review
# shows: 72, hidden by a helper that subtracts a number
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def raised(v, level):
    return tl.exp(v - level)  # expect: KA815


@triton.jit
def softmax_row(x, y, columns, level, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    keep = at < columns
    row = tl.program_id(0) * columns
    e = raised(tl.load(x + row + at, mask=keep, other=-float("inf")), tl.full((BLOCK,), 1.0, tl.float32) * level)
    tl.store(y + row + at, e / tl.sum(e, axis=0), mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softmax_row[(x.shape[0],)](x, y, x.shape[1], 3.5, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
