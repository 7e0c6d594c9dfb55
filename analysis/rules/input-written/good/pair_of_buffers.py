# verdict: clean
# near: 61
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


class Pair:
    def __init__(self, *buffers):
        self.buffers = list(buffers)

    def turn(self):
        self.buffers.reverse()
        return self.buffers


class ModelNew(nn.Module):
    def forward(self, x):
        rows, width = x.shape
        pair = Pair(torch.empty_like(x), torch.empty_like(x))  # expect: KA531
        source, target = x, pair.buffers[1]
        distance = 1
        while distance < width:
            step[(rows, triton.cdiv(width, 256))](source, target, width, distance, BLOCK=256)
            source, target = target, pair.turn()[1]
            distance *= 2
        return source
