# verdict: review
# near: 60
# The layer that works in place is handed what the one before it made.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)


class InPlace(nn.Module):
    def forward(self, x):
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), BLOCK=1024)
        return x


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 64, 3), InPlace(), nn.Conv2d(64, 64, 3), InPlace())
        self.layers = nn.ModuleList([nn.Linear(30, 30), InPlace()])

    def forward(self, x):
        x = self.features(x)
        x = self.layers[0](x)  # expect: KA103
        return self.layers[1](x)
