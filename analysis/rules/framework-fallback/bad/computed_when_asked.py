# verdict: cheat
# shows: 1, hidden by __len__
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):  # expect: KA115
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2.0, mask=i < n)


class Rows:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        torch.softmax(self.x, -1, out=self.y)  # expect: KA101
        return self.x.shape[0]


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        if len(Rows(x, y)) == 0:
            raise ValueError("no rows")
        return y


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
