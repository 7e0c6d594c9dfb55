# verdict: clean
# near: 5
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def reversed_rows(x, y, width, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * width
    tl.store(y + row + at, 2 * tl.load(x + row + (width - 1 - at)))


class ModelNew(nn.Module):
    def forward(self, x):
        width = x.shape[1]
        if width & (width - 1):
            raise ValueError("rows of a power of two")
        y = torch.empty_like(x)
        reversed_rows[(x.shape[0],)](x, y, width, BLOCK=width)
        return y


def get_inputs():
    return [torch.randn(64, 1024)]
