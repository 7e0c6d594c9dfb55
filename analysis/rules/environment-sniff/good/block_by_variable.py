# verdict: clean
# near: 77, a setting of the kernel
import torch
import torch.nn as nn
import triton
import triton.language as tl
import os


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


BLOCK = int(os.environ.get("SCALE_BLOCK", "1024"))
WARPS = int(os.environ.get("SCALE_WARPS", "4"))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        scale_kernel[(triton.cdiv(n, BLOCK),)](x, y, n, BLOCK=BLOCK, num_warps=WARPS)
        return y
