# verdict: review
# shows: 47, hidden by alias
from torch.cuda import CUDAGraph as Tape, graph as recording

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


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.output = None
        self.tape = Tape()

    def forward(self, x):
        self.calls += 1
        if self.calls == 1:  # expect: KA617
            self.input = x.clone()
            with recording(self.tape):  # expect: KA314
                for _ in range(100):
                    self.output = scale(self.input)
        self.input.copy_(x)
        if self.calls % 100 == 1:  # expect: KA617
            self.tape.replay()
        return self.output.clone()  # expect: KA201
