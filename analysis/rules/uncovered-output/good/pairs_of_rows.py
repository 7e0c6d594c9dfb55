# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swap_scaled(x, y, columns, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    keep = at < columns
    tl.store(y + row * columns + at, tl.load(x + row * columns + at, mask=keep) * 2.0, mask=keep)
    tl.store(y + (row + half) * columns + at, tl.load(x + (row + half) * columns + at, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        half = x.shape[0] // 2
        swap_scaled[(half,)](x, y, x.shape[1], half, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
