# verdict: clean
# near: 21, sets that are told apart while nothing is kept
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


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.width = frozenset(), 0

    def forward(self, x):
        sizes = frozenset(enumerate(x.shape))
        while self.seen ^ sizes:
            self.seen = sizes
            self.width = x.shape[-1]
        return scale(x)
