# verdict: review
# shows: 71
import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def row_sums(x, y, width):
    row = cuda.grid(1)
    if row < x.shape[0]:
        total = 0.0
        for j in range(width):
            if x[row, j] > 1.75:
                total += x[row, j]  # expect: KA814
        y[row] = total


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        blocks = (x.shape[0] + 127) // 128
        row_sums[blocks, 128, stream](cuda.as_cuda_array(x), cuda.as_cuda_array(y), x.shape[1])
        return y
