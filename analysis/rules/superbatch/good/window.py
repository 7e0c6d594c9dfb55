# verdict: review
# near: 24
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


@triton.jit
def mean_kernel(frames, y, rows, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    total = tl.zeros((BLOCK,), tl.float32)
    for row in range(rows):
        total += tl.load(frames + row * n + i, mask=keep)
    tl.store(y + i, total / rows, mask=keep)


def mean(frames):
    y = torch.empty_like(frames[0])
    n = y.numel()
    mean_kernel[(triton.cdiv(n, 1024),)](frames, y, len(frames), n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    """A moving average over the last calls: every call computes its own result."""

    def __init__(self):
        super().__init__()
        self.frames = []

    def forward(self, x):
        self.frames.append(x)
        if len(self.frames) > 4:
            self.frames.pop(0)
            return mean(torch.stack(self.frames))  # expect: KA103, KA201
        return scale(x)
