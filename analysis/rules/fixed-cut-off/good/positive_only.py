# verdict: clean
# near: 71
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def positive_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(y + i, v * 2.0, mask=(i < n) & (v > 0.0))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        positive_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
