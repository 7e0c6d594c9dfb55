# verdict: review
# shows: 4
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def sums_kernel(x: cute.Tensor, total: cute.Tensor):
    row = cute.arch.block_idx().x
    column = cute.arch.thread_idx().x
    cute.arch.atomic_add(total[row], x[row, column])


@cute.jit
def sums(x: cute.Tensor, total: cute.Tensor):
    sums_kernel(x, total).launch(grid=(x.shape[0], 1, 1), block=(x.shape[1], 1, 1))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 128)
        self.compiled = {}

    def forward(self, x):
        x = self.linear(x)  # expect: KA103
        total = torch.zeros(x.shape[0], device=x.device)
        a, b = from_dlpack(x), from_dlpack(total)
        compiled = self.compiled.get(x.dtype)
        if compiled is None:
            compiled = self.compiled[x.dtype] = cute.compile(sums, a, b)
        compiled(a, b)
        return total
