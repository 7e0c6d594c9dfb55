# verdict: clean
# near: 21
import threading

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


slots = threading.local()


def kernel():
    known = globals().get("_kernel")
    if known is None:
        known = globals()["_kernel"] = scale
    return known


class Doubled(nn.Module):
    def forward(self, x):
        scratch = getattr(slots, "scratch", None)
        if scratch is None:
            scratch = slots.scratch = torch.empty_like(x)
        kernel()(x, scratch)
        return scale(scratch, torch.empty_like(x))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.doubled = Doubled()

    def forward(self, x):
        scratch = globals().get("_scratch")
        if scratch is None or scratch.shape != x.shape:
            scratch = torch.empty_like(x)
            globals()["_scratch"] = scratch
        scale(self.doubled(x), scratch)
        return scale(scratch, torch.empty_like(x))
