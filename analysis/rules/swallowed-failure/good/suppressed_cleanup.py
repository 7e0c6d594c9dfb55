# verdict: clean
# near: 6
import torch
import torch.nn as nn
import triton
import triton.language as tl
import contextlib
import os


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


with contextlib.suppress(OSError):
    os.remove("/tmp/scale_kernel.log")


class ModelNew(nn.Module):
    def forward(self, x):
        note = None
        with contextlib.suppress(AttributeError):
            note = x.note
        if note is None:
            return scale(x)
        return scale(x.contiguous())
