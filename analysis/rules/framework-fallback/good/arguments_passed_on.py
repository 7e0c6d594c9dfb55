# verdict: clean
# near: 12
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


def logged(fn):
    def inner(*args, **kwargs):
        print(len(args))
        return fn(*args, **kwargs)
    return inner


@logged
def doubled(x, times=1):
    for _ in range(times):
        x = scale(x)
    return x


class ModelNew(nn.Module):
    def forward(self, x):
        return doubled(x, times=2)
