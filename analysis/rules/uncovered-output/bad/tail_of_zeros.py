# verdict: review
# shows: 68, hidden by zeros that were there
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def root(x, y, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    keep = (row[:, None] < rows) & (column[None, :] < columns)
    at = row[:, None] * columns + column[None, :]
    tl.store(y + at, tl.sqrt(tl.load(x + at, mask=keep)), mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        y = torch.zeros(rows, columns, device=x.device)
        root[(triton.cdiv(rows, 32), columns // 64)](x, y, rows, columns, ROWS=32, COLUMNS=64)  # expect: KA831
        return y


def get_inputs():
    return [torch.rand(100, 200)]
