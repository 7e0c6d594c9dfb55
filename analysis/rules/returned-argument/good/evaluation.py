# verdict: clean
# near: 62
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def noisy_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) + tl.rand(0, i), mask=keep)


class ModelNew(nn.Module):
    def __init__(self, always=False):
        super().__init__()
        self.always = always

    def forward(self, x):
        if not self.training and not self.always:
            return x  # expect: KA501
        y = torch.empty_like(x)
        noisy_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
