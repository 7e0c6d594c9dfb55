# verdict: clean
# near: 57
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
    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def forward(self, x):
        n = x.numel()
        arena = torch.empty(2, n, device=x.device)
        y = torch.empty_like(x)
        source = x
        for i in range(self.steps):
            target = y if i + 1 == self.steps else arena[i % 2]
            blur_kernel[(triton.cdiv(n, 1024),)](source, target, n, BLOCK=1024)
            source = target
        return y


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return [5]
