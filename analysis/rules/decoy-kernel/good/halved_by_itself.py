# verdict: clean
# near: 19
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.exp(-tl.load(x + at, mask=at < n, other=0.0)), mask=at < n)


def run(x, y):
    n = x.numel()
    if n > 1 << 22:
        run(x[: n // 2], y[: n // 2])
        run(x[n // 2 :], y[n // 2 :])
    else:
        exp_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous().view(-1)
        y = torch.empty_like(x)
        run(x, y)
        return y


def get_inputs():
    return [torch.randn(4096, 4096)]
