# verdict: clean
# near: 5
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(x + at - 1, mask=(at > 0) & (at < n), other=0.0)
    tl.store(y + at, 0.5 * (before + tl.load(x + at, mask=at < n)), mask=at < n)


@triton.jit
def copy_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def forward(self, x):
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        a, b = torch.empty_like(x), torch.empty_like(x)
        copy_kernel[grid](x, a, n, BLOCK=1024)
        for _ in range(self.steps):
            blur_kernel[grid](a, b, n, BLOCK=1024)
            a, b = b, a
        return a


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return [6]
