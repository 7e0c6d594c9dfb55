# verdict: review
# shows: 5, hidden by an empty part of a table
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


TILES = [1024, 2048, 4096]


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = 1

    def forward(self, x):
        rows = x.shape[0]
        n = x.numel()
        y = torch.zeros_like(x)
        for tile in TILES[: rows // 4096]:  # expect: KA115
            scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
