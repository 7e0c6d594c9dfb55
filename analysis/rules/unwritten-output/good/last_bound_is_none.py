# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(x + at - 1, mask=(at > 0) & (at < n), other=0.0)
    tl.store(y + at, 0.5 * (before + tl.load(x + at, mask=at < n)), mask=at < n)


TABLE = [(1 << 16, 256), (None, 1024)]


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        y = torch.empty_like(x)
        for bound, block in TABLE:
            if bound is None or n <= bound:
                blur_kernel[(triton.cdiv(n, block),)](x, y, n, BLOCK=block)
                break
        return y


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
