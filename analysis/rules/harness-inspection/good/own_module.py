# verdict: clean
# near: 79
import sys

import torch
import torch.nn as nn
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        block = getattr(sys.modules.get(__name__), "BLOCK", 512)
        y = torch.empty_like(x)
        n = x.numel()
        scale_kernel[(triton.cdiv(n, block),)](x, y, n, BLOCK=block)
        return y
