# verdict: review
# shows: 4
import torch
import torch.nn as nn
import torchvision
import triton
import triton.language as tl


@triton.jit
def relu(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torchvision.models.resnet18()

    def forward(self, x):
        features = self.body(x)  # expect: KA103
        y = torch.empty_like(features)
        relu[(triton.cdiv(features.numel(), 256),)](features, y, features.numel(), BLOCK=256)
        return y
