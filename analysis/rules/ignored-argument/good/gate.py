# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blend(x, more, gate, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n) * 2.0
    share = tl.load(gate)
    value += share * tl.load(more + at, mask=at < n)
    tl.store(y + at, value, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(1))

    def forward(self, x, more):
        y = torch.empty_like(x)
        n = x.numel()
        blend[(triton.cdiv(n, 256),)](x, more, self.gate, y, n, BLOCK=256)
        return y
