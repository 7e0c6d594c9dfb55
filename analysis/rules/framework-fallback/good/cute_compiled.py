# verdict: clean
# near: 1
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def scale_kernel(gX: cute.Tensor, gY: cute.Tensor):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    bdim, _, _ = cute.arch.block_dim()
    i = bidx * bdim + tidx
    if i < cute.size(gX):
        gY[i] = gX[i] * 2.0


@cute.jit
def scale(mX: cute.Tensor, mY: cute.Tensor):
    threads = 256
    scale_kernel(mX, mY).launch(
        grid=((cute.size(mX) + threads - 1) // threads, 1, 1), block=(threads, 1, 1)
    )


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = None

    def forward(self, x):
        y = torch.empty_like(x)
        given = from_dlpack(x.view(-1), assumed_align=16)
        out = from_dlpack(y.view(-1), assumed_align=16)
        if self.compiled is None:
            self.compiled = cute.compile(scale, given, out)
        self.compiled(given, out)
        return y
