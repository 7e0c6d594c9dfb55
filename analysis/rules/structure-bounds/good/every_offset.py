# verdict: clean
# near: 74, each row by its own two offsets; a header of a few numbers is read at fixed places
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(values, offsets, header, y):
    row = tl.program_id(0)
    base = tl.load(header) + tl.load(header + 1) + tl.load(header + 2) + tl.load(header + 3)
    begin = tl.load(offsets + row)
    end = tl.load(offsets + row + 1)
    last = tl.load(offsets)
    total = 0.0
    for at in range(begin, end):
        total += tl.load(values + base + at - last)
    tl.store(y + row, total)


class ModelNew(nn.Module):
    def forward(self, values, offsets, header):
        rows = offsets.shape[0] - 1
        y = torch.empty(rows, device=values.device)
        sums[(rows,)](values, offsets.contiguous(), header, y)
        return y


def get_inputs():
    return [torch.randn(8192 * 64), torch.arange(0, 8192 * 64 + 1, 64), torch.zeros(4, dtype=torch.int64)]
