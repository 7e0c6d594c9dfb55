# verdict: clean
# near: 94
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, w, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * tl.load(w), mask=keep)


class Scales(nn.Sequential):
    def forward(self, x):
        for layer in list(self):
            y = torch.empty_like(x)
            n = x.numel()
            scale_kernel[(triton.cdiv(n, 1024),)](x, layer.weight, y, n, BLOCK=1024)
            x = y
        return x


class ModelNew(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.scales = Scales(*[nn.PReLU() for _ in range(count)])

    def forward(self, x):
        return self.scales(x)
