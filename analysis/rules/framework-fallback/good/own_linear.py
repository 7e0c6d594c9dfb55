# verdict: clean
# near: 1
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows_kernel(x, w, b, y, n, k, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1)
    i = tl.arange(0, BLOCK)
    products = tl.load(x + row * k + i, mask=i < k, other=0.0) * tl.load(w + column * k + i, mask=i < k, other=0.0)
    tl.store(y + row * n + column, tl.sum(products, 0) + tl.load(b + column))


class Rows(nn.Linear):
    def forward(self, x):
        y = torch.empty((x.shape[0], self.out_features), device=x.device)
        rows_kernel[(x.shape[0], self.out_features)](x, self.weight, self.bias, y, self.out_features, x.shape[1], 1024)
        return y


class ModelNew(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layers = nn.Sequential(Rows(size, size), Rows(size, size))

    def forward(self, x):
        return self.layers(x)
