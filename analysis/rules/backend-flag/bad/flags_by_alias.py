# verdict: review
# shows: 50, 51, hidden by alias
from torch.backends import cudnn as library

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


library.benchmark = True  # expect: KA411
library.allow_tf32 = True  # expect: KA411
torch.set_float32_matmul_precision("med" + "ium")  # expect: KA411


class ModelNew(nn.Module):
    def forward(self, x):
        return scale(x)
