# verdict: clean
# near: 16
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 2.0, mask=at < n)


def scale(x):
    y = torch.empty(x.shape, device=x.device, dtype=x.dtype)
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class ModelNew(nn.Module):
    """A workspace is filled where it is taken, and not looked at where the input is."""

    def __init__(self):
        super().__init__()
        self.space = None

    def packed(self, x):
        if x.is_contiguous():
            return x
        self.space.copy_(x)
        return self.space

    def forward(self, x, z, w):
        if self.space is None or self.space.shape != x.shape:
            self.space = torch.empty(x.shape, device=x.device, dtype=x.dtype)
        ready = x
        if not x.is_contiguous():
            self.space.copy_(x)
            ready = self.space
        first = scale(ready)
        if z.is_contiguous():
            ready = z
        else:
            self.space.copy_(z)
            ready = self.space
        second = scale(ready)
        third = scale(self.packed(w))
        fourth = scale(w if w.is_contiguous() else self.packed(w))
        return first, second, third, fourth
