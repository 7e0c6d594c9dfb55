# verdict: clean
# near: 5, a class that names an attribute after the kernel
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < count) * 2.0, mask=at < count)


class Launcher:
    def __init__(self, kernel):
        self.kernel = kernel

    def __call__(self, x):
        y = torch.empty_like(x)
        self.kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y


class ModelNew(nn.Module):
    double = Launcher(double)

    def forward(self, x):
        return self.double(x.contiguous())
