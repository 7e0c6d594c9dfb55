# verdict: review
# shows: 4, hidden by steps that an operator chains
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
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class Step:
    def __init__(self, run):
        self.run = run

    def __or__(self, after):
        return Step(lambda x: after.run(self.run(x)))  # expect: KA103

    def __call__(self, x):
        return self.run(x)


class ModelNew(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.parts = nn.ModuleDict({"taps": nn.Conv2d(inputs, outputs, 3)})

    def forward(self, x):
        return (Step(self.get_submodule("parts.taps")) | Step(scale))(x)
