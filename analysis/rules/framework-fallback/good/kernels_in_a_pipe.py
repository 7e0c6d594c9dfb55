# verdict: clean
# near: 1
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


class Pipe:
    def __init__(self, *steps):
        self.steps = steps

    def __or__(self, step):
        return Pipe(*self.steps, step)

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.pipe = Pipe() | scale | scale

    def forward(self, x):
        return self.pipe(x)
