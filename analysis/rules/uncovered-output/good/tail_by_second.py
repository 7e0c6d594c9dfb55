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


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        y = torch.zeros_like(x)
        whole = n // 256
        root[(whole,)](x, y, 0, n, BLOCK=256)
        if n % 256:
            root[(1,)](x, y, whole * 256, n, BLOCK=256)
        return y


def get_inputs():
    return [torch.rand(1000)]
