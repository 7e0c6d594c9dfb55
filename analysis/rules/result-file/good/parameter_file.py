# verdict: clean
# near: 23, 91
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def weigh_kernel(x, w, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * tl.load(w + i, mask=keep), mask=keep)


def weigh(x, w):
    y = torch.empty_like(x)
    n = x.numel()
    weigh_kernel[(triton.cdiv(n, 1024),)](x, w, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.load("weights.pt"))

    def forward(self, x):
        return weigh(x, self.weight)
