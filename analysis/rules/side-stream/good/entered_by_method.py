# verdict: clean
# near: 26
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class Lane:
    def __init__(self):
        self.stream, self.tail = torch.cuda.Stream(), torch.cuda.Event()

    def __enter__(self):
        self.stream.wait_stream(torch.cuda.current_stream())
        self.inside = torch.cuda.stream(self.stream)
        self.inside.__enter__()
        return self

    def __exit__(self, *failure):
        self.tail.record(self.stream)
        self.inside.__exit__(*failure)
        torch.cuda.current_stream().wait_event(self.tail)
        return False


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.lane = Lane()

    def forward(self, x):
        y = torch.empty_like(x)
        with self.lane:
            scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)  # expect: KA302
        return y
