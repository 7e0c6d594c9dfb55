# verdict: review
# shows: 55, variables of the environment by a merge of dictionaries and by pairs, and flags below the public names
import os

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


os.environ |= {"NVIDIA_TF32_OVERRIDE": "1"}  # expect: KA411, KA611
os.environ.update(zip(("OMP_NUM_THREADS", "CUDA_LAUNCH_BLOCKING"), ("1", "1")))  # expect: KA411
torch._C._set_cublas_allow_tf32(True)  # expect: KA411


class ModelNew(nn.Module):
    def forward(self, x):
        return scale(x)
