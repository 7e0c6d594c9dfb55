# verdict: clean
# near: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2.0 * tl.load(x + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide = torch.float32

    def forward(self, x):
        self.given = torch.float16 if x.dtype == torch.float16 else torch.float32
        packed = x.to(self.wide)
        y = torch.empty_like(packed)
        double[(triton.cdiv(x.numel(), 256),)](packed, y, x.numel(), BLOCK=256)
        return y.to(self.given)
