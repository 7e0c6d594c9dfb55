# verdict: clean
# near: 5
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def whole(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.sqrt(tl.load(x + at)))


@triton.jit
def masked(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.sqrt(tl.load(x + at, mask=at < n)), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        y = torch.empty_like(x)
        if n % 1024 == 0:
            whole[(n // 1024,)](x, y, BLOCK=1024)
        else:
            masked[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.rand(1000, 1000)]
