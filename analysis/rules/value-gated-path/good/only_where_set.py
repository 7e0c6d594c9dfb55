# verdict: clean
# near: 54
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def weighted_sums(x, weights, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    weight = tl.load(weights + row)
    total = 0.0
    if weight != 0.0:
        for start in range(0, columns, BLOCK):
            total += tl.sum(tl.load(x + row * columns + start + at, mask=start + at < columns, other=0.0), 0)
    tl.store(y + row, total * weight)


class ModelNew(nn.Module):
    def forward(self, x, weights):
        rows, columns = x.shape
        y = torch.empty(rows, device=x.device)
        weighted_sums[(rows,)](x, weights, y, columns, BLOCK=512)
        return y
