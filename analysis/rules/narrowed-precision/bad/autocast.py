# verdict: review
# shows: 49, hidden by a scope of the framework
from contextlib import contextmanager

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


@contextmanager
def fast():
    with torch.autocast("cuda", dtype=torch.bfloat16):  # expect: KA421
        yield


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(1024, 1024)
        self.down = nn.Linear(1024, 1024)
        self.narrow = torch.cuda.amp.autocast()  # expect: KA421

    def forward(self, x):
        with fast():
            h = self.up(x)
        with self.narrow:
            h = self.down(h)  # expect: KA103
        return scale(h.float(), torch.empty_like(x))
