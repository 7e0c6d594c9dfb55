# verdict: review
# shows: 61, hidden by a pair of buffers
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def step(source, target, width, distance, BLOCK: tl.constexpr):
    row = tl.program_id(0) * width
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    keep = at < width
    own = tl.load(source + row + at, mask=keep)
    before = tl.load(source + row + at - distance, mask=keep & (at >= distance), other=0.0)
    tl.store(target + row + at, own + before, mask=keep)


@triton.jit
def copy(source, target, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(target + at, 2.0 * tl.load(source + at, mask=at < n), mask=at < n)


class Pair:
    def __init__(self, *buffers):
        self.buffers = list(buffers)

    def turn(self):
        source, target = self.buffers
        self.buffers.reverse()
        return source, target


class ModelNew(nn.Module):
    def forward(self, x):
        rows, width = x.shape
        pair = Pair(x, torch.empty_like(x))
        distance = 1
        while distance < width:
            source, target = pair.turn()
            step[(rows, triton.cdiv(width, 256))](source, target, width, distance, BLOCK=256)  # expect: KA532
            distance *= 2
        y = torch.empty_like(x)
        copy[(triton.cdiv(x.numel(), 1024),)](pair.buffers[0], y, x.numel(), BLOCK=1024)
        return y
