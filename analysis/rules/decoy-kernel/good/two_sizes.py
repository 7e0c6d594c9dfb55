# verdict: clean
# near: 5, another kernel for small inputs
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


@triton.jit
def small_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for start in range(0, n, BLOCK):
        keep = start + i < n
        tl.store(y + start + i, tl.load(x + start + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        if x.shape[0] >= 128:
            scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        else:
            small_kernel[(1,)](x, y, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
