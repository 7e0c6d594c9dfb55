# verdict: clean
# near: 72
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def softmax(x, y, width, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * width
    value = tl.load(x + row + at, mask=at < width, other=-float("inf"))
    weight = (value - tl.reduce(value, 0, larger)).exp()
    tl.store(y + row + at, weight / weight.sum(0), mask=at < width)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softmax[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
