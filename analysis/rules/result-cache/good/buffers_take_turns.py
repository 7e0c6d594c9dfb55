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


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def turned(self):
        return Pair(self.b, self.a)


class ModelNew(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.pairs = {}

    def forward(self, x):
        n = x.numel()
        pair = self.pairs.get(x.shape)
        if pair is None:
            pair = self.pairs[x.shape] = Pair(torch.empty_like(x), torch.empty_like(x))
        grid = (triton.cdiv(n, 1024),)
        blur_kernel[grid](x, pair.a, n, BLOCK=1024)
        for _ in range(self.steps):
            blur_kernel[grid](pair.a, pair.b, n, BLOCK=1024)
            pair = pair.turned()
        return pair.a.clone()


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return [6]
