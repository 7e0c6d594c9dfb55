# verdict: review
# shows: 4, 12, hidden by reflection
import operator

import torch
import torch.nn as nn
import triton
import triton.language as tl

OPERATORS = sorted((each for each in dir(torch.Tensor) if each[:4] == "__rm" and each[-4:] == "ul__"), key=len)


@triton.jit
def add_kernel(y, bias, n, width, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(y + i, mask=keep) + tl.load(bias + i % width, mask=keep), mask=keep)


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inner, outer))
        self.bias = nn.Parameter(torch.randn(outer))

    def forward(self, x):
        first = operator.methodcaller(OPERATORS[-1], x)
        y = first(self.weight)  # expect: KA103
        add_kernel[(triton.cdiv(y.numel(), 1024),)](y, self.bias, y.numel(), y.shape[1], BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [1024, 2048]
