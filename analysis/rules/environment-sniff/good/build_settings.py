# verdict: clean
# near: 77
import torch
import torch.nn as nn
import triton
import triton.language as tl
import os
import time


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


os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "9.0")
if os.environ.get("SHOW_BUILD"):
    print("building")


class ModelNew(nn.Module):
    def forward(self, x):
        started = time.perf_counter()
        y = scale(x)
        self.took = time.perf_counter() - started
        return y
