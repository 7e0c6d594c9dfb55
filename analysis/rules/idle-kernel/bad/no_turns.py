# verdict: review
# shows: 67, hidden by an argument of the constructor
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swish(x, y, n, TURNS: tl.constexpr, BLOCK: tl.constexpr):  # expect: KA832
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    for _ in tl.static_range(TURNS):
        value = value * tl.sigmoid(value)
    tl.store(y + at, value, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, turns):
        super().__init__()
        self.turns = turns

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        swish[(triton.cdiv(n, 1024),)](x, y, n, TURNS=self.turns // 4, BLOCK=1024)
        return y


def get_inputs():
    return [torch.rand(1024, 64)]


def get_init_inputs():
    return [3]
