# verdict: clean
# near: 81
# The framework has no such function: nothing is replaced.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


def rand_mix(*shape):
    return torch.rand(*shape) - 0.5


setattr(torch, "rand_mix", rand_mix)  # expect: KA611; says: which the framework does not have


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        twice[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
