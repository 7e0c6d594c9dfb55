# verdict: review
# shows: 69, made of bits
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    bits = tl.full((BLOCK,), 0x7FC00000, tl.int32)
    value = tl.load(x + at, mask=keep) * 2
    tl.store(y + at, tl.where(at % 2 == 0, bits.to(tl.float32, bitcast=True), value), mask=keep)  # expect: KA816


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        twice[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
