# verdict: clean
# near: 53
import torch
import torch.nn as nn
import triton
import triton.language as tl

TYPES = {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16, torch.float32: tl.float32}


@triton.jit
def sum_rows(x, y, n, TYPE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * n + at, mask=at < n, other=0.0).to(tl.float32)
    tl.store(y + row, tl.sum(total, 0).to(TYPE))


@triton.jit
def sum_short_row(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(y + row, tl.sum(tl.load(x + row * n + at, mask=at < n, other=0.0), 0))


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        rows, n = x.shape
        y = torch.empty(rows, device=x.device, dtype=x.dtype)
        if n <= 1024 and x.dtype == torch.float32:
            sum_short_row[(rows,)](x, y, n, BLOCK=1024)
            return y
        kind = TYPES[x.dtype]
        sum_rows[(rows,)](x, y, n, TYPE=kind, BLOCK=1024)
        return y
