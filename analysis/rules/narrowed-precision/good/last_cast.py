# verdict: clean
# near: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial_sums(x, sums, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=0.0)
    tl.atomic_add(sums + row, tl.sum(v.to(tl.float32), axis=0))


@triton.jit
def settle(sums, y, rows, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(sums + at, mask=at < rows).to(tl.float16), mask=at < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        sums = torch.zeros(rows, device=x.device, dtype=torch.float32)
        y = torch.empty(rows, device=x.device, dtype=torch.float16)
        partial_sums[(rows, triton.cdiv(n, 512))](x, sums, n, BLOCK=512)
        settle[(triton.cdiv(rows, 512),)](sums, y, rows, BLOCK=512)
        return y.unsqueeze(1)
