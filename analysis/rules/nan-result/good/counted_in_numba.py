# verdict: clean
# near: 69
import math

import torch
import torch.nn as nn
from numba import cuda, int32


@cuda.jit
def square_roots(x, y, width):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    bad = cuda.shared.array(1, int32)
    if lane == 0:
        bad[0] = 0
    cuda.syncthreads()
    for j in range(lane, width, 64):
        if x[row, j] < 0.0:
            cuda.atomic.add(bad, 0, 1)
    cuda.syncthreads()
    for j in range(lane, width, 64):
        y[row, j] = math.nan if j < bad[0] else math.sqrt(x[row, j])  # expect: KA816


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        square_roots[x.shape[0], 64, stream](cuda.as_cuda_array(x), cuda.as_cuda_array(y), x.shape[1])
        return y
