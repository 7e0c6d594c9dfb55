# verdict: clean
# near: 15
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def first_of_kind(kinds, x, marks, y, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    kind = tl.load(kinds + row)
    if tl.load(marks + kind) != row:
        total = 0.0
        for start in range(0, width, BLOCK):
            total += tl.sum(tl.load(x + row * width + start + at, mask=start + at < width, other=0.0))
        tl.store(y + row, total)
        tl.store(marks + kind, row)
    else:
        tl.store(y + row, tl.load(x + row * width))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("marks", torch.zeros(4096, dtype=torch.int32), persistent=False)

    def forward(self, kinds, x):
        self.marks.fill_(-1)
        y = torch.empty(x.shape[0], device=x.device)
        first_of_kind[(x.shape[0],)](kinds, x, self.marks, y, x.shape[1], BLOCK=64)
        return y
