# verdict: review
# shows: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def narrow(v):
    return v.to(tl.float8e4nv).to(tl.float32)  # expect: KA421


@triton.jit
def tile(a, b, c, n: tl.constexpr, HOW: tl.constexpr):
    row = tl.arange(0, n)[:, None]
    column = tl.arange(0, n)[None, :]
    left = tl.load(a + row * n + column)
    right = tl.load(b + row * n + column)
    sums = tl.dot(left, right, input_precision=HOW)  # expect: KA421
    tl.store(c + row * n + column, sums + narrow(left))


class ModelNew(nn.Module):
    def forward(self, a, b):
        c = torch.empty_like(a)
        tile[(1,)](a, b, c, n=64, HOW="tf32")
        return c


def get_inputs():
    return [torch.randn(64, 64), torch.randn(64, 64)]
