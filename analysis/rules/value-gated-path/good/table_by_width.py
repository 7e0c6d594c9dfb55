# verdict: clean
# near: 54
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def in_steps(x, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0) * width
    total = 0.0
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row + at, mask=at < width, other=0.0), axis=0)
    tl.store(y + tl.program_id(0), total)


@triton.jit
def at_once(x, y, width, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + tl.program_id(0), tl.sum(tl.load(x + tl.program_id(0) * width + at, mask=at < width, other=0.0)))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        kernel = {True: in_steps, False: at_once}[x.shape[1] > 256]
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=256)
        return y
