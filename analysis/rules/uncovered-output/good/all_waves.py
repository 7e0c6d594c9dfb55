# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, rows, columns, R: tl.constexpr, C: tl.constexpr):
    tiles = tl.cdiv(rows, R) * tl.cdiv(columns, C)
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        row = tile // tl.cdiv(columns, C) * R + tl.arange(0, R)
        column = tile % tl.cdiv(columns, C) * C + tl.arange(0, C)
        at = row[:, None] * columns + column[None, :]
        keep = (row[:, None] < rows) & (column[None, :] < columns)
        tl.store(y + at, tl.load(x + at, mask=keep) * 2.0, mask=keep)


@triton.jit
def shift(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) + 1.0)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y, z = torch.empty_like(x), torch.empty_like(x)
        rows, columns = x.shape
        processors = torch.cuda.get_device_properties(x.device).multi_processor_count
        double[(processors,)](x, y, rows, columns, R=32, C=64)
        shift[lambda given: (x.numel() // given["BLOCK"],)](y, z, x.numel(), BLOCK=256)
        return z


def get_inputs():
    return [torch.randn(4095, 1024)]
