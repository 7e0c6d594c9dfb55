# verdict: clean
# near: 14, sizes kept by address
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class Sizes:
    def __set_name__(self, owner, name):
        self.key = "_sizes_" + name

    def __get__(self, owner, kind=None):
        return owner.__dict__.setdefault(self.key, {})


class ModelNew(nn.Module):
    sizes = Sizes()

    def forward(self, x):
        self.sizes[x.data_ptr()] = x.numel()
        return scale(x)
