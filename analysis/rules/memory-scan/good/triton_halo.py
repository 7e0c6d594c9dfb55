# verdict: clean
# near: 58
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for back in range(-2, 3):
        total += tl.load(x + i + back, mask=(i + back >= 0) & (i + back < n), other=0.0)
    tl.store(y + i, total / 5, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        blur_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
