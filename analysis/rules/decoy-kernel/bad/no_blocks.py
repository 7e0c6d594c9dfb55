# verdict: review
# shows: 5, hidden by a grid
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        scale_kernel[(x.shape[0] // 4096,)](x, y, x.numel(), BLOCK=1024)  # expect: KA115, KA831
        return y


def get_inputs():
    return [torch.randn(64, 4096)]


def get_init_inputs():
    return []
