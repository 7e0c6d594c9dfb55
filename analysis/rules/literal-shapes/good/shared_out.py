# verdict: clean
# near: 75
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_rows(x, y, columns, chunk, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    first = tl.program_id(1) * chunk
    total = 0.0
    for start in range(0, chunk, BLOCK):
        at = first + start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row * columns + at, mask=at < columns, other=0.0), 0)
    tl.atomic_add(y + row, total)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros(x.shape[0], device=x.device)
        columns = x.shape[1]
        chunk = columns // 4 if columns == 16384 else columns
        sum_rows[(x.shape[0], triton.cdiv(columns, chunk))](x, y, columns, chunk, BLOCK=256)
        return y
