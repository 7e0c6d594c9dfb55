# verdict: clean
# near: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rotate(x, y, n, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = at < n
    left = at % width < width // 2
    here = tl.load(x + at, mask=keep)
    tl.store(y + at, here - tl.load(x + at + width // 2, mask=keep & left), mask=keep & left)
    tl.store(y + at, here + tl.load(x + at - width // 2, mask=keep & ~left), mask=keep & (at % width >= width // 2))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        rotate[(triton.cdiv(n, 1024),)](x, y, n, x.shape[1], BLOCK=1024)
        return y


def get_inputs():
    return [torch.randn(4096, 1024)]
