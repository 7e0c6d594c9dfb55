# verdict: clean
# near: 1
import cuda.bindings.driver as driver
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def double_kernel(gX: cute.Tensor, gY: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    gY[(thread, block)] = gX[(thread, block)] * 2.0


@cute.jit
def double(mX: cute.Tensor, mY: cute.Tensor, stream: driver.CUstream):
    tile = cute.make_ordered_layout((256, 1), order=(1, 0))
    tiler, _ = cute.make_layout_tv(tile, tile)
    gX, gY = (cute.flat_divide(t, tiler) for t in (mX, mY))
    double_kernel(gX, gY).launch(grid=[cute.size(gY, mode=[1]), 1, 1], block=[256, 1, 1], stream=stream)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        stream = driver.CUstream(torch.cuda.current_stream().cuda_stream)
        double(from_dlpack(x), from_dlpack(y), stream)
        return y
