# verdict: clean
# near: 73
import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def shift_kernel(x, bias, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = x[i] + bias[i]


class ModelNew(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        shift_kernel[(n + 255) // 256, 256](x.detach(), self.bias.detach(), y, n)
        return y
