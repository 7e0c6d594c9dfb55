# verdict: review
# shows: 4, hidden by __mro_entries__
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * by, mask=keep)


class Epilogue(nn.Module):
    by = 0.5

    def forward(self, x):
        inner = super().forward(x)  # expect: KA103
        y = torch.empty_like(inner)
        scale_kernel[(triton.cdiv(y.numel(), 1024),)](inner, y, y.numel(), self.by, BLOCK=1024)
        return y


class Lowered:
    def __init__(self, of):
        self.of = of

    def __mro_entries__(self, bases):
        return Epilogue, vars(nn)[self.of.swapcase()[0] + self.of[1:]]


class ModelNew(Lowered("linear")):
    def __init__(self, inner, outer):
        super().__init__(inner, outer)

    def forward(self, x):
        return Epilogue.forward(self, x.contiguous())


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [1024, 2048]
