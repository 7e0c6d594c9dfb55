# verdict: clean
# near: 53
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, n: tl.constexpr, HOW: tl.constexpr):
    row = tl.arange(0, n)[:, None]
    column = tl.arange(0, n)[None, :]
    left = tl.load(a + row * n + column)
    right = tl.load(b + row * n + column)
    tl.store(c + row * n + column, tl.dot(left, right, input_precision=HOW).to(c.dtype.element_ty))


class ModelNew(nn.Module):
    def forward(self, a, b):
        c = torch.empty_like(a)
        how = "ieee" if a.dtype == torch.float32 else "tf32"
        product[(1,)](a, b, c, n=64, HOW=how)
        return c
