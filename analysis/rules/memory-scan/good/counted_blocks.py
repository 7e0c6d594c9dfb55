# verdict: clean
# near: 58, what the allocator has is counted when the model is made
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2.0, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.segments = len(torch.cuda.memory_snapshot())

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        twice_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
