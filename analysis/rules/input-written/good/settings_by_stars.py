# verdict: clean
# near: 60, arguments of launches whose places lists and dictionaries leave open
import dataclasses
import operator

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sums(x, sums, width, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    value = tl.load(x + row * width + at, mask=at < width, other=0.0)
    tl.store(sums + row, tl.sum(value, axis=0))


@triton.jit
def spread(x, sums, y, row_step, sum_step, width, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    total = tl.load(sums + row * sum_step)
    value = tl.load(x + row * row_step + at, mask=at < width, other=0.0)
    tl.store(y + row * width + at, value / total, mask=at < width)


@dataclasses.dataclass
class Settings:
    BLOCK: int = 1024
    ROWS: int = 1
    warps: int = 4

    def shown(self):
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name.isupper()}


class Launcher:
    def __init__(self, kernel, **settings):
        self.kernel, self.settings = kernel, settings

    def __getitem__(self, tensors):
        y = torch.empty_like(tensors[0])
        steps = map(operator.methodcaller("stride", 0), tensors)
        self.kernel[(y.shape[0],)](*tensors, y, *steps, y.shape[1], **self.settings)
        return y


class ModelNew(nn.Module):
    spread = Launcher(spread, BLOCK=1024, ROWS=1)

    def __init__(self):
        super().__init__()
        self.settings = Settings()

    def forward(self, x):
        x = x.contiguous()
        sums = torch.empty(x.shape[0], device=x.device)
        row_sums[(x.shape[0],)](x, sums, x.shape[1], **self.settings.shown())
        return self.spread[tuple(each.contiguous() for each in (x, sums))]


def get_inputs():
    return [torch.rand(512, 1000)]


def get_init_inputs():
    return []
