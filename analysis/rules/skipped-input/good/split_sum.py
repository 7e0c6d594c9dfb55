# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def part_sums(x, parts, rows, columns, share, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first = tl.program_id(1) * share
    sums = tl.zeros((BLOCK,), tl.float32)
    for row in range(first, min(rows, first + share)):
        sums += tl.load(x + row * columns + column, mask=column < columns, other=0.0)
    tl.store(parts + tl.program_id(1) * columns + column, sums, mask=column < columns)


@triton.jit
def add_parts(parts, y, columns, count, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), tl.float32)
    for part in range(0, count):
        sums += tl.load(parts + part * columns + column, mask=column < columns, other=0.0)
    tl.store(y + column, sums, mask=column < columns)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, columns = x.shape
        count = 8
        parts = torch.empty((count, columns), device=x.device)
        y = torch.empty(columns, device=x.device)
        part_sums[(triton.cdiv(columns, 128), count)](x, parts, rows, columns, triton.cdiv(rows, count), BLOCK=128)
        add_parts[(triton.cdiv(columns, 128),)](parts, y, columns, count, BLOCK=128)
        return y


def get_inputs():
    return [torch.randn(1001, 300)]
