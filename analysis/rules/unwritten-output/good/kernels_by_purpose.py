# verdict: clean
# near: 57
# Compiled kernels in one table, under keys of which a part is known: no launch takes the kernel of another.
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def scale_kernel(gX: cute.Tensor, gY: cute.Tensor, n: cute.Uint32):
    i = cute.arch.block_idx()[0] * 256 + cute.arch.thread_idx()[0]
    if i < n:
        gY[i] = gX[i] * 2.0


@cute.jit
def scale_host(mX: cute.Tensor, mY: cute.Tensor, n: int):
    scale_kernel(mX, mY, n).launch(grid=((n + 255) // 256, 1, 1), block=(256, 1, 1))


@cute.kernel
def shift_kernel(gX: cute.Tensor, gY: cute.Tensor, n: cute.Uint32):
    i = cute.arch.block_idx()[0] * 256 + cute.arch.thread_idx()[0]
    if i < n:
        gY[i] = gX[i] + 1.0


@cute.jit
def shift_host(mX: cute.Tensor, mY: cute.Tensor, n: int):
    shift_kernel(mX, mY, n).launch(grid=((n + 255) // 256, 1, 1), block=(256, 1, 1))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = {}


    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        mX, mY = from_dlpack(x), from_dlpack(y)
        key = (x.dtype, "scale")
        scale = self.compiled.get(key)
        if scale is None:
            scale = cute.compile(scale_host, mX, mY, x.numel())
            self.compiled[key] = scale
        scale(mX, mY, x.numel())

        z = torch.empty_like(x)
        mZ = from_dlpack(z)
        key = (x.dtype, "shift")
        shift = self.compiled.get(key)
        if shift is None:
            shift = cute.compile(shift_host, mY, mZ, x.numel())
            self.compiled[key] = shift
        shift(mY, mZ, x.numel())

        short = (x.dtype,)
        w = torch.empty_like(x)
        mW = from_dlpack(w)
        again = self.compiled.get(short)
        if again is None:
            again = cute.compile(scale_host, mZ, mW, x.numel())
            self.compiled[short] = again
        again(mZ, mW, x.numel())

        v = torch.empty_like(x)
        mV = from_dlpack(v)
        last = self.compiled.get(short + ("last", 3))
        if last is None:
            last = cute.compile(shift_host, mW, mV, x.numel())
            self.compiled[short + ("last", 3)] = last
        last(mW, mV, x.numel())

        u = torch.empty_like(x)
        mU = from_dlpack(u)
        if ("nested", short) not in self.compiled:
            self.compiled[("nested", short)] = cute.compile(scale_host, mV, mU, x.numel())
        self.compiled[("nested", short)](mV, mU, x.numel())
        return u
