# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swap_pairs(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    first = tl.load(x + 2 * i, mask=inside)
    second = tl.load(x + 2 * i + 1, mask=inside)
    tl.store(y + 2 * i, second, mask=inside)
    tl.store(y + 2 * i + 1, -first, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel() // 2
        swap_pairs[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
