# verdict: review
# shows: 72
import math

import torch
import torch.nn as nn
from numba import cuda, float32


@cuda.jit
def softmax(x, y, width):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    sums = cuda.shared.array(128, float32)
    own = 0.0
    for j in range(lane, width, 128):
        weight = math.exp(x[row, j])  # expect: KA815
        y[row, j] = weight
        own += weight
    sums[lane] = own
    cuda.syncthreads()
    half = 64
    while half > 0:
        if lane < half:
            sums[lane] += sums[lane + half]
        cuda.syncthreads()
        half //= 2
    for j in range(lane, width, 128):
        y[row, j] /= sums[0]


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        softmax[x.shape[0], 128, stream](cuda.as_cuda_array(x), cuda.as_cuda_array(y), x.shape[1])
        return y
