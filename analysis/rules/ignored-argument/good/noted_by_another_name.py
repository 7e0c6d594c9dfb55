# verdict: clean
# near: 73, a list that grows under other names
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blend(x, cache, y, width, past, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + at, mask=at < width)
    for t in range(past):
        total += tl.load(cache + t * width + at, mask=at < width, other=0.0)
    tl.store(y + at, total / (past + 1), mask=at < width)


class Window:
    def __init__(self):
        self.parts = []

    def all(self):
        return self.parts

    @property
    def length(self):
        return sum(last - first for first, last in self.parts)


class ModelNew(nn.Module):
    def forward(self, x, cache):
        window = Window()
        window.all().append((0, cache.shape[0] - 1))
        note = window.parts.append
        note((cache.shape[0] - 1, cache.shape[0]))
        y = torch.empty_like(x)
        width = x.numel()
        blend[(triton.cdiv(width, 256),)](x, cache, y, width, window.length, BLOCK=256)
        return y


def get_inputs():
    return [torch.randn(1024), torch.randn(64, 1024)]
