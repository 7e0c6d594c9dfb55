# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shift(x, bias, y, n, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n) * 2.0
    if HAS_BIAS:
        value += tl.load(bias + at, mask=at < n)
    tl.store(y + at, value, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        n = x.numel()
        twice, y = torch.empty_like(x), torch.empty_like(x)
        shift[(triton.cdiv(n, 256),)](x, self.bias, twice, n, HAS_BIAS=False, BLOCK=256)
        shift[(triton.cdiv(n, 256),)](twice, self.bias, y, n, HAS_BIAS=True, BLOCK=256)
        return y


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return [4096]
