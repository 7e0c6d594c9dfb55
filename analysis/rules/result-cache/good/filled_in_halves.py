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


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.space = None

    def forward(self, x):
        x = x.view(-1)
        n = x.numel()
        if self.space is None or self.space.numel() != n:
            self.space = torch.empty_like(x)
        half = n // 2
        for low, high in ((0, half), (half, n)):
            if high > low:
                blur_kernel[(triton.cdiv(high - low, 1024),)](x[low:high], self.space[low:high], high - low, BLOCK=1024)
        y = torch.empty_like(x)
        blur_kernel[(triton.cdiv(n, 1024),)](self.space, y, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
