# verdict: clean
# near: 75, a number of tiles that is none
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
        rows, columns = x.shape
        y = torch.empty_like(x)
        tiles = rows * ((columns + 63) // 64)
        jobs = 2 * tiles * 64
        if jobs == 0:
            return y
        n = x.numel()
        scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
