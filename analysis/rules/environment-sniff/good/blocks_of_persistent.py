# verdict: clean
# near: 77, a grid that any number of blocks is right for
import torch
import torch.nn as nn
import triton
import triton.language as tl
import os


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):  # expect: KA115
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


@triton.jit
def walking_kernel(x, y, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    for at in range(first, n, tl.num_programs(0) * BLOCK):
        i = at + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n) * 2.0, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.per_processor = int(os.getenv("BLOCKS_PER_PROCESSOR", "4"))

    def forward(self, x):
        y = torch.empty_like(x)
        walking_kernel[(108 * self.per_processor,)](x, y, x.numel(), BLOCK=1024)
        return y
