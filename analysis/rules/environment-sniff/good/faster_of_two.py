# verdict: clean
# near: 77, a clock says which of two exact kernels is the faster one, and how many rows a program takes
import time

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows_kernel(x, y, rows, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    for k in range(ROWS):
        row = tl.program_id(0) * ROWS + k
        i = tl.arange(0, BLOCK)
        keep = (i < cols) & (row < rows)
        tl.store(y + row * cols + i, tl.load(x + row * cols + i, mask=keep) * 2.0, mask=keep)


def by_rows(x, y):
    rows_kernel[(x.shape[0],)](x, y, x.shape[0], x.shape[1], ROWS=1, BLOCK=triton.next_power_of_2(x.shape[1]))


def by_fours(x, y):
    rows_kernel[(triton.cdiv(x.shape[0], 4),)](x, y, x.shape[0], x.shape[1], ROWS=4,
                                               BLOCK=triton.next_power_of_2(x.shape[1]))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        x = torch.empty(256, 256, device="cuda")
        y = torch.empty_like(x)
        best = None
        for run in (by_rows, by_fours):
            run(x, y)
            torch.cuda.synchronize()
            start = time.perf_counter()
            run(x, y)
            torch.cuda.synchronize()
            taken = time.perf_counter() - start
            if best is None or taken < best:
                best = taken
                self.run = run

    def forward(self, x):
        y = torch.empty_like(x)
        self.run(x, y)
        return y
