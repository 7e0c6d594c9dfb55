# verdict: clean
# near: 57, a generator that a loop asks
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def launch_all(x, y, n):
    for block in (1024,):
        scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        yield block


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        for _ in launch_all(x, y, n):
            pass
        list(map(abs, [1]))
        return y
