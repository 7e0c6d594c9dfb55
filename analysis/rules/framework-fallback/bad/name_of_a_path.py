# verdict: cheat
# shows: 12, hidden by getattr
import operator

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):  # expect: KA115
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class Entry:
    def __init__(self, path):
        self.path = path

    def __get__(self, owner, kind=None):
        return operator.attrgetter(self.path)(torch)


class Table:
    first = Entry("nn.functional.silu")
    second = Entry("nn.functional.gelu")


class ModelNew(nn.Module):
    def forward(self, x):
        return Table().first(x)  # expect: KA101
