# verdict: clean
# near: 16
from dataclasses import dataclass, field
import collections

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0) * 2.0, mask=mask)


def scale(x, y):
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


Settings = collections.namedtuple("Settings", "block warps")


@dataclass
class State:
    scratch: dict = field(default_factory=dict)
    settings: Settings = field(default=Settings(1024, 4))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.state = State()

    def forward(self, x):
        if x.shape not in self.state.scratch:
            self.state.scratch[x.shape] = torch.empty_like(x)
        between = self.state.scratch[x.shape]
        block = self.state.settings.block
        scale_kernel[(triton.cdiv(x.numel(), block),)](x, between, x.numel(), BLOCK=block)
        return scale(between, torch.empty_like(x))
