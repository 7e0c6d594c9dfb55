# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 2.0, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        half = n // 2
        double[(triton.cdiv(half, 256),)](x, y, half, BLOCK=256)
        double[(triton.cdiv(n - half, 256),)](x.view(-1)[half:], y.view(-1)[half:], n - half, BLOCK=256)
        return y


def get_inputs():
    return [torch.randn(301, 101)]
