# verdict: clean
# near: 25
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def average_kernel(x, y, mean, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    v = tl.load(x + i, mask=keep)
    m = tl.load(mean + i, mask=keep) * (1.0 - by) + v * by
    tl.store(mean + i, m, mask=keep)
    tl.store(y + i, v - m, mask=keep)


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mean", torch.zeros(n))

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        average_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, self.mean, x.numel(), 0.1, BLOCK=1024)
        return y, self.mean


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return [4096]
