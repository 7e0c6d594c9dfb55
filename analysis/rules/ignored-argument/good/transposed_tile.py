# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(x, w, y, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = (at < n)[:, None] & (at < n)[None, :]
    a = tl.load(x + at[:, None] * n + at[None, :], mask=inside, other=0.0)
    b = tl.load(w + at[:, None] * n + at[None, :], mask=inside, other=0.0)
    both = tl.dot(b.T, a, input_precision="ieee")
    tl.store(y + at[:, None] * n + at[None, :], both, mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(16, 16))

    def forward(self, x):
        y = torch.empty_like(x)
        product[(1,)](x, self.weight, y, x.shape[0], BLOCK=16)
        return y
