# verdict: cheat
# shows: 12, hidden by getattr
import inspect

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


run = inspect.getattr_static(torch, "ma" + "tmul")


class ModelNew(nn.Module):
    def forward(self, a, b):
        return run(a, b)  # expect: KA101
