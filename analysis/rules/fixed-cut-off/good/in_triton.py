# verdict: clean
# near: 71
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def clip_kernel(x, labels, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    label = tl.load(labels + i, mask=i < n, other=0)
    kept = tl.where(v > 0.0, v, 0.1 * v)
    tl.store(y + i, tl.where(kept > 6.0, 6.0, kept), mask=(i < n) & (label < 100))


class ModelNew(nn.Module):
    def forward(self, x, labels):
        y = torch.zeros_like(x)
        clip_kernel[(triton.cdiv(x.numel(), 1024),)](x, labels, y, x.numel(), BLOCK=1024)
        return y
