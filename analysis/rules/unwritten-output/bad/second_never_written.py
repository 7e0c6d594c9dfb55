# verdict: review
# shows: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(x + at - 1, mask=(at > 0) & (at < n), other=0.0)
    tl.store(y + at, 0.5 * (before + tl.load(x + at, mask=at < n)), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, keep=True):
        super().__init__()
        self.keep = keep

    def forward(self, x):
        n = x.numel()
        y = torch.empty_like(x)
        z = torch.empty_like(x) if self.keep else None  # expect: KA531
        blur_kernel[(triton.cdiv(n, 1024),)](x, y if z is None else y, n, BLOCK=1024)
        return (y, z) if self.keep else y


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
