# verdict: review
# shows: 72
import math

import torch
import torch.nn as nn
from numba import cuda, float32


@cuda.jit
def log_softmax(x, y, width):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    total = cuda.shared.array(1, float32)
    values = x[row]
    if lane == 0:
        total[0] = 0.0
    cuda.syncthreads()
    for j in range(lane, width, 128):
        cuda.atomic.add(total, 0, math.exp(values[j]))  # expect: KA815
    cuda.syncthreads()
    level = math.log(total[0])
    for j in range(lane, width, 128):
        y[row, j] = values[j] - level


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        log_softmax[x.shape[0], 128, stream](cuda.as_cuda_array(x), cuda.as_cuda_array(y), x.shape[1])
        return y
