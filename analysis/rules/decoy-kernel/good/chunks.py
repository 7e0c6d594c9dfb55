# verdict: clean
# near: 5, a loop that turns
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
        for start in range(0, rows, 16):
            count = min(16, rows - start) * columns
            scale_kernel[(triton.cdiv(count, 1024),)](x[start : start + 16], y[start : start + 16], count, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
