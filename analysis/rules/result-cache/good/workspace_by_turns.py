# verdict: clean
# near: 21, scratch memory that a loop makes
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.half, self.shape = None, None

    def forward(self, x):
        for _ in range(int(self.shape != x.shape)):
            self.half = torch.empty_like(x)
            self.shape = x.shape
        y = torch.empty_like(x)
        n = x.numel()
        scale_kernel[(triton.cdiv(n, 1024),)](x, self.half, n, BLOCK=1024)
        scale_kernel[(triton.cdiv(n, 1024),)](self.half, y, n, BLOCK=1024)
        return y
