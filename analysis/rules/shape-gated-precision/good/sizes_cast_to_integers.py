# verdict: clean
# near: 53
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, rows, columns, BLOCK: tl.constexpr):
    row = tl.cast(tl.program_id(0), tl.int64)
    wide = tl.cast(columns, tl.int64)
    at = tl.arange(0, BLOCK)
    inside = (at < columns) & (row < tl.cast(rows, tl.int64))
    tl.store(y + row * wide + at, 2.0 * tl.load(x + row * wide + at, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        y = torch.empty_like(x)
        double[(rows,)](x, y, rows, columns, BLOCK=triton.next_power_of_2(columns))
        return y
