# verdict: review
# shows: 36
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    v = tl.load(x + i, mask=keep)
    tl.extra.cuda.gdc_launch_dependents()  # expect: KA325
    tl.store(y + i, v * 2.0, mask=keep)


def scale(x):
    y = torch.empty_like(x)
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024, launch_pdl=True)
    return y


class ModelNew(nn.Module):
    def forward(self, x):
        return scale(x)
