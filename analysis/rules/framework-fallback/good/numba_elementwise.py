# verdict: clean
# near: 1
import math

import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def scale_kernel(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * 2.0


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        threads = 256
        blocks = math.ceil(x.numel() / threads)
        scale_kernel[blocks, threads](cuda.as_cuda_array(x.view(-1)), cuda.as_cuda_array(y.view(-1)))
        return y
