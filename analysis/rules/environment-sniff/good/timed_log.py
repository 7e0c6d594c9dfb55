# verdict: clean
# near: 77, a clock that is written down
import torch
import torch.nn as nn
import triton
import triton.language as tl
import time


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


LOG = []


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        began = time.perf_counter()
        scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        LOG.append(time.perf_counter() - began)
        return y
