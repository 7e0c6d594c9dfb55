# verdict: clean
# near: 75
import torch
import torch.nn as nn
import triton
import triton.language as tl

FLAGS = 5


@triton.jit
def twice(x, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0) * width
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(y + row + at, 2 * tl.load(x + row + at, mask=at < width), mask=at < width)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, width = x.shape
        rounded = (width + 31) & ~31 | (width & 32)
        block = min(max(triton.next_power_of_2(rounded), 64), 1024 | (FLAGS & 4))
        y = torch.empty_like(x)
        twice[(rows,)](x, y, width, BLOCK=triton.next_power_of_2(block))
        return y
