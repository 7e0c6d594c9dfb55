# verdict: clean
# near: 68
import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def double(x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = x[i] * 2.0


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.zeros_like(x)
        n = x.numel()
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        double[n // 256 + 1, 256, stream](cuda.as_cuda_array(x.view(-1)), cuda.as_cuda_array(y.view(-1)), n)
        return y


def get_inputs():
    return [torch.rand(1000, 77)]
