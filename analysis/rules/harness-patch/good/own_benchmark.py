# verdict: clean
# near: 39, 82
import triton.testing

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


def tune(x):
    return min((256, 1024), key=lambda block: triton.testing.do_bench(lambda: scale(x)) + block * 0.0)


def do_bench(fn):
    return fn.__code__.co_argcount


class ModelNew(nn.Module):
    def forward(self, x):
        self.do_bench = do_bench
        return scale(x)
