# verdict: review
# shows: 74
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows_kernel(x, lengths, y, stride):
    row = tl.program_id(0)
    n = tl.minimum(tl.load(lengths + row), 64)  # expect: KA813
    total = 0.0
    for j in range(0, n):
        total += tl.load(x + row * stride + j)
    tl.store(y + row, total)


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        y = torch.empty(x.shape[0], device=x.device)
        rows_kernel[(x.shape[0],)](x, lengths, y, x.stride(0))
        return y
