# verdict: inconclusive
# near: 63
import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def double(x, y):
    at = cuda.grid(1)
    if at < x.shape[0]:
        y[at] = 2.0 * x[at]


class Shared:
    def __init__(self, tensor):
        self.tensor = tensor

    @property
    def __cuda_array_interface__(self):
        names = ["shape", "typestr", "version", "data"]
        data = (int(f"{self.tensor.data_ptr()}"), False)
        return dict(zip(names, [tuple(self.tensor.shape), "<f4", 3, data]))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)  # expect: KA531
        if x.numel() == 0:
            return y.zero_()  # expect: KA801
        given, result = cuda.as_cuda_array(Shared(x.view(-1))), cuda.as_cuda_array(Shared(y.view(-1)))
        double[(x.numel() + 255) // 256, 256](given, result)
        return y
