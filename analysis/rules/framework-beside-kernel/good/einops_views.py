# verdict: clean
# near: 4
import torch
import torch.nn as nn
import triton
import triton.language as tl
from einops import rearrange
from einops.layers.torch import Rearrange


@triton.jit
def square(x, y, n, floor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.maximum(tl.load(x + at, mask=inside), floor)
    tl.store(y + at, value * value, mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = Rearrange("b c h w -> b (c h w)")

    def forward(self, x):
        flat = self.flat(x).contiguous()
        y = torch.empty_like(flat)
        square[(triton.cdiv(flat.numel(), 256),)](flat, y, flat.numel(), torch.finfo(x.dtype).min, BLOCK=256)
        return rearrange(y, "b (c h w) -> b c h w", c=x.shape[1], h=x.shape[2])
