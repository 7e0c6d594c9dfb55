# verdict: clean
# near: 72
import math

import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def softmax(x, y, width):
    row = cuda.grid(1)
    if row >= x.shape[0]:
        return
    top = x[row, 0]
    for j in range(1, width):
        if x[row, j] > top:
            top = x[row, j]
    total = 0.0
    for j in range(width):
        weight = math.exp(x[row, j] - top)
        y[row, j] = weight
        total += weight
    for j in range(width):
        y[row, j] /= total


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        blocks = (x.shape[0] + 127) // 128
        softmax[blocks, 128, stream](cuda.as_cuda_array(x), cuda.as_cuda_array(y), x.shape[1])
        return y
