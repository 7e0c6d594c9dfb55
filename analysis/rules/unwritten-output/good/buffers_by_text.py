# verdict: clean
# near: 57
# Each name has a buffer of its own, and its kernel fills it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


def run(x, y):
    twice[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.buffers_by_name = {}

    def buffer(self, name, like):
        key = f"{name}_{like.shape}_{like.dtype}"
        if key not in self.buffers_by_name:
            self.buffers_by_name[key] = torch.empty_like(like)
        return self.buffers_by_name[key]

    def forward(self, x):
        first = self.buffer("first", x)
        run(x, first)
        second = self.buffer("second", x)
        run(first, second)
        return second.clone()
