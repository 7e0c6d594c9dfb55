# verdict: clean
# near: 1
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def tile_kernel(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS
    column = tl.program_id(1) * COLUMNS
    target.store([row, column], source.load([row, column]) * 2.0)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        source = TensorDescriptor(x, x.shape, x.stride(), [64, 64])
        target = TensorDescriptor(y, y.shape, y.stride(), [64, 64])
        tile_kernel[(triton.cdiv(x.shape[0], 64), triton.cdiv(x.shape[1], 64))](source, target, ROWS=64, COLUMNS=64)
        return y
