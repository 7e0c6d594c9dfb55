# verdict: clean
# near: 60
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def route(x, weight, buckets, counts, rows, width, KINDS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    kind = tl.arange(0, KINDS)
    score = tl.zeros((KINDS,), tl.float32)
    for start in range(0, width, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * width + at, mask=at < width, other=0.0)
        score += tl.sum(value[:, None] * tl.load(weight + at[:, None] * KINDS + kind[None, :]), 0)
    best = tl.argmax(score, 0)
    slot = tl.atomic_add(counts + best, 1)
    tl.store(buckets + best * rows + slot, row)


@triton.jit
def scale(x, buckets, counts, y, rows, width, BLOCK: tl.constexpr):
    kind = tl.program_id(1)
    if tl.program_id(0) < tl.load(counts + kind):
        row = tl.load(buckets + kind * rows + tl.program_id(0))
        for start in range(0, width, BLOCK):
            at = start + tl.arange(0, BLOCK)
            value = tl.load(x + row * width + at, mask=at < width, other=0.0)
            tl.store(y + row * width + at, value * (kind + 1), mask=at < width)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(512, 8))

    def forward(self, x):
        x = x.contiguous()
        rows, width = x.shape
        counts = torch.zeros(8, dtype=torch.int32, device=x.device)
        buckets = torch.empty((8, rows), dtype=torch.int32, device=x.device)
        y = torch.empty_like(x)
        route[(rows,)](x, self.weight, buckets, counts, rows, width, KINDS=8, BLOCK=64)
        scale[(rows, 8)](x, buckets, counts, y, rows, width, BLOCK=512)
        return y
