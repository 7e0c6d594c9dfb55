# verdict: clean
# near: 21
import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0) * 2.0, mask=mask)


def scale(x, y):
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class Run:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def output(self):
        return scale(self.x, torch.empty_like(self.x))


class ModelNew(nn.Module):
    def forward(self, x):
        run = Run(x)
        assert run.output.shape == x.shape
        return run.output
