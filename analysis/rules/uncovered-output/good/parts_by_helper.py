# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def root(x, y, start, n, BLOCK: tl.constexpr):
    at = start + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.sqrt(tl.load(x + at, mask=at < n)), mask=at < n)


def part(x, y, start, count):
    root[(count // 256,)](x, y, start, x.numel(), BLOCK=256)


class ModelNew(nn.Module):
    def forward(self, x):
        half = x.numel() // 2
        y = torch.zeros_like(x)
        part(x, y, 0, half)
        part(x, y, half, half)
        return y


def get_inputs():
    return [torch.rand(4096)]
