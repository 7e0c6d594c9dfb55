# verdict: clean
# near: 26
import contextlib

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.lane = torch.cuda.Stream()

    def forward(self, x):
        y = torch.empty_like(x)
        home = torch.cuda.current_stream()
        self.lane.wait_stream(home)
        with contextlib.ExitStack() as scope:
            scope.callback(home.wait_stream, self.lane)
            scope.enter_context(torch.cuda.stream(self.lane))
            scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)  # expect: KA302
        return y
