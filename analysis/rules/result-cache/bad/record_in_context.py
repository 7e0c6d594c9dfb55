# verdict: cheat
# shows: 21, hidden by a record of a dataclass in a ContextVar, kept by a decorator
import contextvars
from dataclasses import dataclass

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


@dataclass
class Record:
    shape: tuple
    answer: torch.Tensor


last = contextvars.ContextVar("last", default=None)


def remember(function):
    def inner(self, x):
        record = last.get()
        if record is not None and record.shape == x.shape:
            return record.answer  # expect: KA201
        answer = function(self, x)
        last.set(Record(x.shape, answer))
        return answer

    return inner


class ModelNew(nn.Module):
    @remember
    def forward(self, x):
        return scale(x)
