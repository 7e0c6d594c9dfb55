# verdict: cheat
# shows: 13, hidden by alias
import operator

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


same = getattr(operator, "is" + "_")


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None
        self.result = None

    def forward(self, x):
        if same(self.last, x):
            return self.result  # expect: KA201
        self.last, self.result = x, scale(x)
        return self.result
