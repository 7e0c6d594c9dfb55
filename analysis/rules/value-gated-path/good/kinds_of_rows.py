# verdict: clean
# near: 54, kinds that the input names and a kernel copies out
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sort_out(kinds, where, count, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    kind = tl.load(kinds + at, mask=at < count, other=0)
    tl.store(where + at, kind.to(tl.int32), mask=at < count)


@triton.jit
def sigmoid(value):
    return 1.0 / (1.0 + tl.exp(-value))


@triton.jit
def softsign(value):
    return value / (1.0 + tl.abs(value))


@triton.jit
def activate(x, y, where, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * width + at, mask=at < width, other=0.0)
    if tl.load(where + row) != 0:
        value = sigmoid(value)
    else:
        value = softsign(value)
    tl.store(y + row * width + at, value, mask=at < width)


class ModelNew(nn.Module):
    def forward(self, x, kinds):
        x, kinds = x.contiguous(), kinds.contiguous()
        where = torch.empty(x.shape[0], dtype=torch.int32, device=x.device)
        sort_out[(1,)](kinds, where, x.shape[0], BLOCK=triton.next_power_of_2(x.shape[0]))
        y = torch.empty_like(x)
        activate[(x.shape[0],)](x, y, where, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
