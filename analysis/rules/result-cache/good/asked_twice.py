# verdict: clean
# near: 16
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(x + at - 1, mask=(at > 0) & (at < n), other=0.0)
    tl.store(y + at, 0.5 * (before + tl.load(x + at, mask=at < n)), mask=at < n)


def run(x, y):
    n = x.numel()
    if n == 0:
        return y
    blur_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.space = None

    def forward(self, x):
        wide = x.shape[1] >= 512
        if self.space is None or self.space.shape != x.shape:
            self.space = torch.empty_like(x)
        if wide:
            run(x, self.space)
        y = torch.empty_like(x)
        return run(self.space if wide else x, y)


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
