# verdict: clean
# near: 48, 50, 51
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


torch.backends.cuda.matmul.allow_tf32 = False  # expect: KA411
torch.backends.cudnn.benchmark = True  # expect: KA411
torch.set_float32_matmul_precision("highest")  # expect: KA411
os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"
note = "torch.backends.cuda.matmul.allow_tf32 = True"


class ModelNew(nn.Module):
    def forward(self, x):
        return scale(x)
