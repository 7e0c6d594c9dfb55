# verdict: review
# shows: 71
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def keep_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    large = (v > 1.75) & (i < n)
    tl.store(y + i, v * v, mask=large)  # expect: KA814


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        keep_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
