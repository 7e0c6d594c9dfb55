# verdict: clean
# near: 77, folders for what is compiled, and a setting that a handler gives
import os
import sys
from pathlib import Path

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def silu_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    v = tl.load(x + i, mask=keep)
    tl.store(y + i, v * tl.sigmoid(v), mask=keep)


def run(kernel, x):
    y = torch.empty_like(x)
    n = x.numel()
    kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


FOLDER = Path(sys.argv[0]).parent / "compiled"
try:
    WARPS = int(os.environ["WARPS"])
except (KeyError, ValueError):
    WARPS = 4
os.environ.setdefault("TRITON_CACHE_DIR", str(FOLDER))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        silu_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024, num_warps=WARPS)
        return y
