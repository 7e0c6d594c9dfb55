# verdict: review
# shows: 59
import torch
import torch.nn as nn
from numba import cuda, float32


@cuda.jit
def row_sums(x, y, width):
    sums = cuda.shared.array(128, float32)
    lane = cuda.threadIdx.x
    for j in range(lane, width, 128):
        sums[lane] += x[cuda.blockIdx.x, j]  # expect: KA533
    cuda.syncthreads()
    if lane == 0:
        total = 0.0
        for j in range(128):
            total += sums[j]
        y[cuda.blockIdx.x] = total


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        row_sums[x.shape[0], 128, stream](cuda.as_cuda_array(x), cuda.as_cuda_array(y), x.shape[1])
        return y
