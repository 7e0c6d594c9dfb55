# verdict: clean
# near: 24
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mix_kernel(a, b, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(a + i, mask=keep) + tl.load(b + i, mask=keep) * 2.0, mask=keep)


def mix(a, b):
    y = torch.empty_like(a)
    n = a.numel()
    mix_kernel[(triton.cdiv(n, 1024),)](a, b, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        if x.numel() == 0:
            return x  # expect: KA501
        if len(self.seen) < 3:
            self.seen.append(x)
            return mix(x, x)
        return mix(x, x)
