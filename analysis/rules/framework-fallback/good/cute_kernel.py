# verdict: clean
# near: 1
import torch
import torch.nn as nn
import cutlass.cute as cute
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def add_kernel(gA: cute.Tensor, gB: cute.Tensor, gC: cute.Tensor):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    bdim, _, _ = cute.arch.block_dim()
    i = bidx * bdim + tidx
    gC[i] = gA[i] + gB[i]


@cute.jit
def add(mA, mB, mC):
    add_kernel(mA, mB, mC).launch(grid=[cute.size(mA) // 256, 1, 1], block=[256, 1, 1])


class ModelNew(nn.Module):
    def forward(self, a, b):
        c = torch.empty_like(a)
        add(from_dlpack(a.view(-1)), from_dlpack(b.view(-1)), from_dlpack(c.view(-1)))
        return c
