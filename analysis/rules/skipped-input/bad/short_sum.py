# verdict: review
# shows: 68
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, m, n, k, R: tl.constexpr, C: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    column = tl.program_id(1) * C + tl.arange(0, C)
    depth = tl.arange(0, D)
    left = a + row[:, None] * k + depth[None, :]
    right = b + depth[:, None] * n + column[None, :]
    sums = tl.zeros((R, C), tl.float32)
    for _ in range(0, k - D, D):
        sums += tl.dot(tl.load(left), tl.load(right), input_precision="ieee")  # expect: KA833 KA833
        left += D
        right += D * n
    tl.store(c + row[:, None] * n + column[None, :], sums)


class ModelNew(nn.Module):
    def forward(self, a, b):
        m, k = a.shape
        n = b.shape[1]
        c = torch.empty((m, n), device=a.device)
        product[(m // 32, n // 32)](a, b, c, m, n, k, R=32, C=32, D=32)
        return c


def get_inputs():
    return [torch.randn(512, 1024), torch.randn(1024, 512)]
