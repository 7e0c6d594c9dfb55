# verdict: review
# shows: 74
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_kernel(x, y, width, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = (tl.program_id(0) + i) * width
    tl.store(y + at + width, tl.load(x + at + width) * 2.0)


class ModelNew(nn.Module):
    def forward(self, x, offsets, count):  # expect: KA811; says: offsets
        y = torch.empty_like(x)
        row_kernel[(offsets.numel() - 1,)](x, y, count + 1, BLOCK=64)
        return y


def get_inputs():
    return [torch.randn(64, 64), torch.arange(65), 63]
