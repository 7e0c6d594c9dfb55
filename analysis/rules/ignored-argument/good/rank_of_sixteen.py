# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def adapt(x, down, up, y, n, rank, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    value = tl.load(x + at, mask=keep)
    more = tl.zeros((BLOCK,), tl.float32)
    for r in range(rank):
        more += tl.load(down + r) * tl.load(up + r * n + at, mask=keep)
    tl.store(y + at, tl.where(value > 0, value, 0.1 * value) + more, mask=keep)


class ModelNew(nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.down = nn.Parameter(torch.randn(rank))
        self.up = nn.Parameter(torch.zeros(rank, width))
        self.turns = rank

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        adapt[(triton.cdiv(n, 256),)](x, self.down, self.up, y, n, self.turns, BLOCK=256)
        return y


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return [4096, 16]
