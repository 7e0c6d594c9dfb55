# verdict: review
# near: 49
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0) * 2.0, mask=mask)


def scale(x, y):
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(1024, 1024)

    def forward(self, x):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            y = scale(x, torch.empty_like(x))
            with torch.autocast("cuda", enabled=False):
                h = self.up(y)  # expect: KA103
        with torch.autocast("cuda", dtype=torch.float32):
            return scale(h, torch.empty_like(x))
