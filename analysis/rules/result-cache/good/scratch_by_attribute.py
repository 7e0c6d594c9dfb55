# verdict: clean
# near: 21, scratch memory behind __setattr__
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


class Scratch:
    def __init__(self):
        object.__setattr__(self, "held", {})

    def __getattr__(self, name):
        return object.__getattribute__(self, "held").get(name)

    def __setattr__(self, name, value):
        object.__getattribute__(self, "held")[name] = value


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scratch = Scratch()

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        if self.scratch.buffer is None or self.scratch.buffer.numel() < n:
            self.scratch.buffer = torch.empty_like(x)
        half = self.scratch.buffer
        scale_kernel[(triton.cdiv(n, 1024),)](x, half, n, BLOCK=1024)
        scale_kernel[(triton.cdiv(n, 1024),)](half, y, n, BLOCK=1024)
        return y
