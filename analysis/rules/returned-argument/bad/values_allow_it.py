# verdict: review
# shows: 62, where the values allow it
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.maximum(tl.load(x + i, mask=keep), 0.0), mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        if x.min().item() >= 0:  # expect: KA413
            return x  # expect: KA501
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
