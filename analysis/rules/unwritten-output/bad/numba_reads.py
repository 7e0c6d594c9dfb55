# verdict: cheat
# shows: 57
import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def look_kernel(x, y, seen):
    i = cuda.grid(1)
    if i < x.size:
        seen[0] = x[i] + y[i]


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.zeros(1, device="cuda")

    def forward(self, x):
        y = torch.empty_like(x)  # expect: KA531
        look_kernel[(x.numel() + 255) // 256, 256](x, y, self.seen)
        return y
