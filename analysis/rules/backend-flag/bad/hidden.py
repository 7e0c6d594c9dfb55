# verdict: review
# shows: 48, 56, hidden by getattr
import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch import backends


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


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        matmul = getattr(backends, "cu" + "da").matmul
        setattr(matmul, "allow" + "_tf32", True)  # expect: KA411
        torch.set_default_dtype(torch.float16)  # expect: KA411

    def forward(self, x):
        return scale(x)
