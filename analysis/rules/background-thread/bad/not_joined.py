# verdict: cheat
# shows: 30
import torch
import torch.nn as nn
import triton
import triton.language as tl
import threading


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


class ModelNew(nn.Module):
    def work(self, x, y):
        scale_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)

    def forward(self, x):
        y = torch.empty_like(x)
        worker = threading.Thread(target=self.work, args=(x, y))  # expect: KA311
        worker.start()
        return y
