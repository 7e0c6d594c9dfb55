# verdict: review
# shows: 48, 50, 55, hidden by string building
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


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


torch.backends.cuda.matmul.allow_tf32 = True  # expect: KA411
torch.set_float32_matmul_precision("high")  # expect: KA411
os.environ["NVIDIA_TF32_" + "OVERRIDE"] = "1"  # expect: KA411


class ModelNew(nn.Module):
    def forward(self, x):
        return scale(x)
