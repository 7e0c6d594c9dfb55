# verdict: review
# shows: 12, hidden by a path of pieces
import operator

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shift_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) + 1.0, mask=keep)


def shift(x):
    y = torch.empty_like(x)
    n = x.numel()
    shift_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


PIECES = {"from": "ops", "space": "aten", "step": "m" * 2}


def assemble(*names):
    return operator.attrgetter(".".join(PIECES[name] for name in names))(torch)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = assemble("from", "space", "step")

    def forward(self, x, w):
        return shift(self.step(x, w))  # expect: KA103
