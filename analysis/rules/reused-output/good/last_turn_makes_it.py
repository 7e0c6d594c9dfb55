# verdict: clean
# near: 25
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
        self.arena = None

    def forward(self, x):
        n = x.numel()
        if self.arena is None or self.arena.shape[1] != n:
            self.arena = torch.empty(2, n, device=x.device)
        source = x
        for i in range(self.steps):
            target = torch.empty_like(x) if i == self.steps - 1 else self.arena[i % 2]
            blur_kernel[(triton.cdiv(n, 1024),)](source, target, n, BLOCK=1024)
            source = target
        return source


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return [5]
