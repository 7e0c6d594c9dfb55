# verdict: review
# shows: 66
from collections import OrderedDict

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, bias, y, n, width, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) + tl.load(bias + i % width, mask=keep), mask=keep)


@triton.jit
def scale_kernel(x, weight, y, n, width, BLOCK: tl.constexpr):  # expect: KA115
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * tl.load(weight + i % width, mask=keep), mask=keep)


class Stages(OrderedDict):
    def chosen(self, wanted):
        return [run for name, run in self.items() if wanted.get(name, True)]


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.adapter = nn.Linear(width, width, bias=False)  # expect: KA811
        self.bias = nn.Parameter(torch.zeros(width))
        self.plan = Stages(adapter=self.adapted, residual=self.moved).chosen({"adapter": False})

    def adapted(self, x):
        y = torch.empty_like(x)
        scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, self.adapter.weight, y, x.numel(), x.shape[-1], BLOCK=1024)
        return y

    def moved(self, x):
        y = torch.empty_like(x)
        add_kernel[(triton.cdiv(x.numel(), 1024),)](x, self.bias, y, x.numel(), x.shape[-1], BLOCK=1024)
        return y

    def forward(self, x):
        y = x.contiguous()
        for stage in self.plan:
            y = stage(y)
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [1024]
