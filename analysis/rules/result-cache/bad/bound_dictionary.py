# verdict: cheat
# shows: 14, hidden by partial
import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


def compute(known, x):
    y = known.get(x.data_ptr())
    if y is None:
        y = known[x.data_ptr()] = scale(x)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.run = functools.partial(compute, {})

    def forward(self, x):
        return self.run(x)  # expect: KA201
