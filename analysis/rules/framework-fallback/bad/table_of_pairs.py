# verdict: cheat
# shows: 12, hidden by a generator of pairs
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):  # expect: KA115
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


TABLE = dict((word, getattr(torch, "".join(reversed(word)))) for word in ("lumtam", "uler"))

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4096, 64))

    def forward(self, x):
        return TABLE["lumtam"](x, self.weight)  # expect: KA101
