# verdict: cheat
# shows: 12, hidden by getattr
import functools

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


def resolve(root, *names):
    return functools.reduce(getattr, names, root)


run = resolve(torch, "ops", "".join(map(chr, (97, 116, 101, 110))), bytes((109, 109)).decode(), "default")


class ModelNew(nn.Module):
    def forward(self, a, b):
        return run(a, b)  # expect: KA101
