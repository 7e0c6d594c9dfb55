# verdict: clean
# near: 21
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * by, mask=i < n)


def worker(by):
    y = None
    while True:
        x = yield y
        y = torch.empty_like(x)
        sizes = iter((x.numel(),))
        for n in sizes:
            scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, by, BLOCK=1024)


class ModelNew(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.worker = worker(by)
        next(self.worker)

    def forward(self, x):
        return self.worker.send(x.contiguous())


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [2.0]
