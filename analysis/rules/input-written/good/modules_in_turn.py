# verdict: clean
# near: 61
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n, other=0.0), mask=at < n)


@triton.jit
def relu_kernel(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.maximum(tl.load(x + at, mask=at < n, other=0.0), 0.0), mask=at < n)


class Double(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        double_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y


class InPlace(nn.Module):
    def forward(self, x):
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), BLOCK=1024)
        return x


class ModelNew(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.first = nn.ModuleList([Double(), InPlace()])
        layers = []
        for _ in range(depth):
            layers += [Double(), InPlace()]
        self.then = nn.Sequential(*layers)

    def forward(self, x):
        for layer in self.first:
            x = layer(x)
        return self.then(x)


def get_inputs():
    return [torch.randn(4096, 4096)]
