# verdict: review
# shows: 60
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
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, x.numel(), BLOCK=1024)  # expect: KA532
        return x


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(InPlace(), nn.Conv2d(3, 64, 3), InPlace())

    def forward(self, x):
        return self.features(x)  # expect: KA103
