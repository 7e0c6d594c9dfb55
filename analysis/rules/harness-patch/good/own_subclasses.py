# verdict: clean
# near: 82
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


class Backend:
    name = "none"


class Doubling(Backend):
    def run(self, x):
        return scale(x)


def choose():
    for kind in Backend.__subclasses__():
        kind.name = kind.__name__.lower()
    return max(Backend.__subclasses__(), key=lambda kind: len(kind.name))()


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.backend = choose()

    def forward(self, x):
        return self.backend.run(x)
