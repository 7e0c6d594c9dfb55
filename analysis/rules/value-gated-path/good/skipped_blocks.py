# verdict: clean
# near: 54
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, lengths, n: tl.constexpr):
    row = tl.arange(0, n)[:, None]
    column = tl.arange(0, n)[None, :]
    here = tl.program_id(0) * n * n
    sums = tl.zeros((n, n), tl.float32)
    if tl.load(lengths + tl.program_id(0)) > 0:
        left = tl.load(a + here + row * n + column)
        sums = tl.dot(left, tl.load(b + row * n + column), input_precision="ieee")
    tl.store(c + here + row * n + column, sums)


class ModelNew(nn.Module):
    def forward(self, a, b, lengths):
        c = torch.empty_like(a)
        product[(a.shape[0],)](a, b, c, lengths, n=64)
        return c
