# verdict: clean
# near: 77
import sys

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def decay_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    old = tl.load(y + i, mask=keep)
    tl.store(y + i, old * 0.5 + tl.load(x + i, mask=keep), mask=keep)


LEVEL = {"loud": 1, "quiet": 0}


def verbosity():
    if "--verbose" in sys.argv:
        return "loud"
    return "quiet"


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x[0])
        n = y.numel()
        steps = x.shape[0]
        for step in range(steps):
            if LEVEL[verbosity()]:
                print("step", step, "of", steps)
            decay_kernel[(triton.cdiv(n, 1024),)](x[step], y, n, BLOCK=1024)
        return y
