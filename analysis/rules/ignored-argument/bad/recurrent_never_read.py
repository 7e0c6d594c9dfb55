# verdict: review
# shows: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def step_all(x, h, y, steps, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    state = tl.load(h + row * width + at, mask=at < width, other=0.0)
    for t in range(steps):
        value = tl.load(x + (row * steps + t) * width + at, mask=at < width, other=0.0)
        keep = tl.sigmoid(value + state)
        state = keep * state + (1.0 - keep) * (value - state)
    tl.store(y + row * width + at, state, mask=at < width)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = nn.GRU(width, width, batch_first=True)  # expect: KA811

    def forward(self, x, h):
        y = torch.empty_like(h)
        step_all[(x.shape[0],)](x, h, y, x.shape[1], x.shape[2], BLOCK=triton.next_power_of_2(x.shape[2]))
        return y
