# verdict: clean
# near: 28
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


class Relay:
    def __init__(self):
        self.lane, self.closing = torch.cuda.Stream(), contextlib.ExitStack()

    @contextlib.contextmanager
    def leg(self):
        home = torch.cuda.current_stream()
        self.lane.wait_stream(home)
        with torch.cuda.stream(self.lane):
            yield home
        self.closing.callback(home.wait_event, self.lane.record_event())
        self.closing.close()


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.relay = Relay()

    def forward(self, x):
        y = torch.empty_like(x)
        with self.relay.leg():
            scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)  # expect: KA302
        return y
