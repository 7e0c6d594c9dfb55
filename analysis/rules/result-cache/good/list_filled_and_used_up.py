# verdict: clean
# near: 21, a list that each call fills
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = []

    def forward(self, x):
        y = torch.empty_like(x)
        self.rows.clear()
        for row in range(x.shape[0]):
            self.rows.append(row)
        while self.rows:
            row = self.rows.pop()
            n = x.shape[1]
            scale_kernel[(triton.cdiv(n, 1024),)](x[row], y[row], n, BLOCK=1024)
        return y
