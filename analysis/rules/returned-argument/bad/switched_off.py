# verdict: review
# shows: 62, hidden by a switch
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
    def __init__(self, negative=False):
        super().__init__()
        self.negative = negative

    def forward(self, x):
        if self.negative:
            y = torch.empty_like(x)
            relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
            return y
        return x.view(x.shape)  # expect: KA501
