# verdict: review
# shows: 66, hidden by a buffer
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def adapt(x, up, y, n, turns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    value = tl.load(x + at, mask=keep)
    value = tl.where(value > 0, value, 0.1 * value)
    for r in range(turns):
        value += tl.load(up + r * n + at, mask=keep)
    tl.store(y + at, value, mask=keep)


class ModelNew(nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.up = nn.Parameter(torch.zeros(rank, width))
        self.register_buffer("turns", torch.zeros((), dtype=torch.int32))

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        adapt[(triton.cdiv(n, 256),)](x, self.up, y, n, int(self.turns), BLOCK=256)  # expect: KA811
        return y


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return [4096, 16]
