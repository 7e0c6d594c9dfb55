# verdict: clean
# near: 30
import torch
import torch.nn as nn
import triton
import triton.language as tl
from concurrent import futures


@triton.jit
def triple_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 3.0, mask=keep)


class Issuer(futures.ThreadPoolExecutor):
    def __init__(self):
        super().__init__(max_workers=1)

    def run(self, work, *parts):
        return self.submit(work, *parts).result()  # expect: KA311


def triple(x):
    y = torch.empty_like(x)
    n = x.numel()
    triple_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.issuer = Issuer()

    def forward(self, x):
        return self.issuer.run(triple, x)
