# verdict: review
# shows: 5, hidden by itertools
import torch
import torch.nn as nn
import triton
import triton.language as tl
import itertools


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.plan = [1, 2, 3]

    def forward(self, x):
        rows = x.shape[0]
        n = x.numel()
        y = torch.zeros_like(x)
        for step in itertools.islice(self.plan, rows // 1000):  # expect: KA115
            scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
