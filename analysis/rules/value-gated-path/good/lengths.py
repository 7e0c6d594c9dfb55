# verdict: clean
# near: 54
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sums(x, lengths, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    length = tl.minimum(tl.load(lengths + row), columns)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, length, BLOCK):
        total += tl.load(x + row * columns + start + at, mask=start + at < length, other=0.0)
    tl.store(y + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        rows, columns = x.shape
        y = torch.empty(rows, device=x.device)
        row_sums[(rows,)](x, lengths, y, columns, BLOCK=256)
        return y
