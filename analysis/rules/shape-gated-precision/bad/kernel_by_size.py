# verdict: review
# shows: 53, hidden by a variable that holds the kernel
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exact(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    tl.store(y + at, v * v, mask=at < n)


@triton.jit
def short(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.bfloat16)  # expect: KA421
    tl.store(y + at, (v * v).to(tl.float32), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel = short if x.numel() > 65536 else exact
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)  # expect: KA412
        return y
