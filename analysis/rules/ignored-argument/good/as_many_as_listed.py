# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def adapt(x, down, y, n, turns, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    for r in range(turns):
        value = value * tl.load(down + r) + 1.0
    tl.store(y + at, value, mask=at < n)


def note(steps, step):
    steps.append(step)


class ModelNew(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.down = nn.Parameter(torch.randn(rank))
        self.steps = []
        steps = self.steps
        for step in range(rank):
            note(steps, step)

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        turns = len([step for step in self.steps])
        adapt[(triton.cdiv(n, 256),)](x, self.down, y, n, turns, BLOCK=256)
        return y


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return [16]
