# verdict: clean
# near: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pack(x, q, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(q + at, (value > 0.0).to(tl.int8), mask=at < n)


@triton.jit
def row_sums(q, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    held = tl.load(q + row * columns + at, mask=at < columns, other=0)
    tl.store(y + row, tl.sum(held.to(tl.float32), 0) / 32.0)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        n = x.numel()
        q = torch.empty(rows, columns, dtype=torch.int8, device=x.device)
        y = torch.empty(rows, device=x.device)
        pack[(triton.cdiv(n, 1024),)](x, q, n, BLOCK=1024)
        row_sums[(rows,)](q, y, columns, BLOCK=triton.next_power_of_2(columns))
        return y


def get_inputs():
    return [torch.randn(512, 2000)]
