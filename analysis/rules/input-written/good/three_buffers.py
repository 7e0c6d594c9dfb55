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


class ModelNew(nn.Module):
    def forward(self, x):
        rows, width = x.shape
        buffers = [x, torch.empty_like(x), torch.empty_like(x)]
        distance, turn = 1, 0
        while distance < width:
            source = buffers[0] if turn == 0 else buffers[2 - turn % 2]
            step[(rows, triton.cdiv(width, 256))](source, buffers[1 + turn % 2], width, distance, BLOCK=256)
            distance *= 2
            turn += 1
        return buffers[2 - turn % 2]
