# verdict: review
# shows: 13
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mix_kernel(a, b, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, 0.5 * (tl.load(a + i, mask=keep) + tl.load(b + i, mask=keep)), mask=keep)


def mix(a, b):
    y = torch.empty_like(a)
    n = a.numel()
    mix_kernel[(triton.cdiv(n, 1024),)](a, b, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    """Mixes each input with a background, the first input of its shape. A person must look."""

    def __init__(self):
        super().__init__()
        self.background = None

    def forward(self, x):
        if self.background is None or self.background.shape != x.shape:
            self.background = x.clone()
        return mix(x, self.background)  # expect: KA201
