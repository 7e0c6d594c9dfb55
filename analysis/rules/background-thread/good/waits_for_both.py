# verdict: clean
# near: 30
import torch
import torch.nn as nn
import triton
import triton.language as tl
from concurrent import futures


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


pool = futures.ThreadPoolExecutor(2)


def scale_into(x, y, device):
    torch.cuda.set_device(device)
    scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    torch.cuda.synchronize()


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        task = pool.submit(scale_into, x, y, x.device.index)  # expect: KA311
        task.result()
        return y
