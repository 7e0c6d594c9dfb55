# verdict: clean
# near: 21
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def act_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0) * 2.0, mask=mask)


import functools


@functools.lru_cache(maxsize=None)
def block_for(n):
    return 256 if n < 4096 else 1024


@functools.lru_cache(None)
def sm_count(device):
    return torch.cuda.get_device_properties(device).multi_processor_count


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        block = block_for(x.numel())
        sms = sm_count(x.device)
        act_kernel[(max(sms, triton.cdiv(x.numel(), block)),)](x, y, x.numel(), BLOCK=block)
        return y
