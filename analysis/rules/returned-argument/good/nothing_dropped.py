# verdict: clean
# near: 62
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def thin_kernel(x, y, n, p, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.where(tl.rand(0, i) < p, 0.0, tl.load(x + i, mask=keep) / (1 - p)), mask=keep)


class ModelNew(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.p:
            return x  # expect: KA501
        y = torch.empty_like(x)
        thin_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), self.p, BLOCK=1024)
        return y
