# verdict: clean
# near: 20
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_blocks(x, s, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(s + tl.program_id(0), tl.sum(tl.load(x + at, mask=at < n, other=0.0), 0))


@triton.jit
def spread(x, s, y, n, blocks, BLOCK: tl.constexpr, MANY: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    each = tl.arange(0, MANY)
    total = tl.sum(tl.load(s + each, mask=each < blocks, other=0.0), 0)
    tl.store(y + at, tl.load(x + at, mask=at < n) / total, mask=at < n)


class Scratch:
    def __init__(self):
        self.held = None

    def of(self, count, device):
        if self.held is None or self.held.numel() < count or self.held.device != device:
            self.held = torch.empty(count, device=device)
        return self.held[:count]


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scratch = Scratch()

    def steps(self, x, y):
        blocks = triton.cdiv(x.numel(), 1024)
        s = self.scratch.of(blocks, x.device)
        yield sum_blocks[(blocks,)], (x, s, x.numel()), {"BLOCK": 1024}
        yield spread[(blocks,)], (x, s, y, x.numel(), blocks), {"BLOCK": 1024, "MANY": triton.next_power_of_2(blocks)}

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        for launch, given, meta in self.steps(x, y):
            launch(*given, **meta)
        return y
