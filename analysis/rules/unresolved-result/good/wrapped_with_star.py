# verdict: clean
# near: 17, calls that are counted for a log alone
import itertools
import logging
import torch
import torch.nn as nn
import triton
import triton.language as tl

log = logging.getLogger(__name__)


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


class Counted:
    def __init__(self):
        self.calls = itertools.count(1)

    def __call__(self, function):
        def counted(module, *tensors):
            log.debug("call %d of shapes %s", next(self.calls), [tuple(each.shape) for each in tensors])
            return function(module, *tensors)

        return counted


class ModelNew(nn.Module):
    @Counted()
    def forward(self, x, y):
        x, y = x.contiguous(), y.contiguous()
        return scale(x), scale(y)
