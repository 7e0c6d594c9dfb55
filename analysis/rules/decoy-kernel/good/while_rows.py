# verdict: clean
# near: 5, a counter that starts below
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows, columns = x.shape
        row = 0
        while row < rows:
            scale_kernel[(triton.cdiv(columns, 1024),)](x[row], y[row], columns, BLOCK=1024)
            row += 1
        return y


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
