# verdict: clean
# near: 16, 17
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


class ModelNew(nn.Module):
    """Every call fills the buffer part by part before it is read."""

    def __init__(self):
        super().__init__()
        self.features = None
        self.shape = None

    def forward(self, x):
        if self.features is None or self.shape != x.shape:
            self.features = torch.empty((x.shape[0], 3 * x.shape[1]), dtype=x.dtype, device=x.device)
            self.shape = x.shape
        width = x.shape[1]
        self.features.narrow(1, 0, width).copy_(x)
        for i in range(2):
            self.features.narrow(1, (i + 1) * width, width).copy_(scale(self.features.narrow(1, i * width, width)))
        return scale(self.features)
