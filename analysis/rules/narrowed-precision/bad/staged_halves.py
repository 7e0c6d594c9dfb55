# verdict: review
# shows: 49, hidden by a kernel that only copies
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stage(x, h, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(h + at, tl.load(x + at, mask=at < n).to(tl.float16), mask=at < n)  # expect: KA421


@triton.jit
def scores(h, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    v = tl.load(h + tl.program_id(0) * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    tl.store(y + tl.program_id(0), tl.sum(v * v, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, columns = x.shape
        n = rows * columns
        h = torch.empty(rows, columns, device=x.device, dtype=torch.float16)
        y = torch.empty(rows, device=x.device)
        stage[(triton.cdiv(n, 1024),)](x.contiguous(), h, n, BLOCK=1024)
        scores[(rows,)](h, y, columns, BLOCK=1024)
        return y
