# verdict: review
# shows: 5
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, begin, n, by, BLOCK: tl.constexpr):
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * by, mask=keep)


class Steps:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n >> 20):
            yield i
class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        for i in Steps(x.numel() - 1):  # expect: KA115
            scale_kernel[(64,)](x, y, i * 65536, x.numel(), 2.0, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
