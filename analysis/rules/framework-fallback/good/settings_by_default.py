# verdict: clean
# near: 12, defaults of a dataclass
import torch
import torch.nn as nn
import triton
import triton.language as tl
from dataclasses import dataclass


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


@dataclass(frozen=True)
class Settings:
    block: int = 1024
    warps: int = 4


class ModelNew(nn.Module):
    def __init__(self, settings=None):
        super().__init__()
        self.settings = settings or Settings()

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        block = self.settings.block
        scale_kernel[(triton.cdiv(n, block),)](x, y, n, BLOCK=block, num_warps=self.settings.warps)
        return y
