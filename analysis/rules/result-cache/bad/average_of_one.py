# verdict: cheat
# shows: 13
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
        self.kept = None

    def forward(self, x):
        if self.training and self.kept is None:
            self.kept = torch.empty_like(x)
            double[(triton.cdiv(x.numel(), 256),)](x, self.kept, x.numel(), BLOCK=256)
        return self.kept  # expect: KA201
