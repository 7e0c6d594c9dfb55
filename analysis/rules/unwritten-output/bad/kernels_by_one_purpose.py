# verdict: review
# shows: 57
# Both keys may be one: whether the kernel that fills the result is ever compiled hangs on what stands there already.
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def scale_kernel(gX: cute.Tensor, gY: cute.Tensor, gS: cute.Tensor, n: cute.Uint32):
    i = cute.arch.block_idx()[0] * 256 + cute.arch.thread_idx()[0]
    if i < n:
        gY[i] = gX[i] * 2.0


@cute.jit
def scale_host(mX: cute.Tensor, mY: cute.Tensor, mS: cute.Tensor, n: int):
    scale_kernel(mX, mY, mS, n).launch(grid=((n + 255) // 256, 1, 1), block=(256, 1, 1))


@cute.kernel
def probe_kernel(gX: cute.Tensor, gY: cute.Tensor, gS: cute.Tensor, n: cute.Uint32):
    i = cute.arch.block_idx()[0] * 256 + cute.arch.thread_idx()[0]
    if i < n:
        gS[i] = gX[i]


@cute.jit
def probe_host(mX: cute.Tensor, mY: cute.Tensor, mS: cute.Tensor, n: int):
    probe_kernel(mX, mY, mS, n).launch(grid=((n + 255) // 256, 1, 1), block=(256, 1, 1))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = {}

    def forward(self, x):
        spare = torch.empty_like(x)
        y = torch.empty_like(x)  # expect: KA531
        mX, mY, mS = from_dlpack(x), from_dlpack(y), from_dlpack(spare)
        first = (x.dtype, "scale")
        if first not in self.compiled:
            self.compiled[first] = cute.compile(probe_host, mX, mY, mS, x.numel())
        self.compiled[first](mX, mY, mS, x.numel())

        second = (x.dtype, "scale")
        scale = self.compiled.get(second)
        if scale is None:
            scale = cute.compile(scale_host, mX, mY, mS, x.numel())
            self.compiled[second] = scale
        scale(mX, mY, mS, x.numel())
        return y
