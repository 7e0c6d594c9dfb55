# verdict: clean
# near: 21, settings behind a proxy
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
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class Proxy:
    def __init__(self, target):
        object.__setattr__(self, "_target", target)

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "_target"), name)

    def __setattr__(self, name, value):
        setattr(object.__getattribute__(self, "_target"), name, value)


class Settings:
    def __init__(self):
        self.block = 256
        self.last = 0


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.settings = Proxy(Settings())
        self.settings.block = 1024

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        self.settings.last = n
        scale_kernel[(triton.cdiv(n, self.settings.block),)](x, y, n, BLOCK=self.settings.block)
        return y
