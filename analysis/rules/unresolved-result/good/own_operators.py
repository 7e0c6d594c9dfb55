# verdict: clean
# near: 94
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class Blocks:
    def __init__(self, n):
        self.n = n

    def __rshift__(self, kernel):
        return kernel[(triton.cdiv(self.n, 1024),)]


class OnDevice:
    def __init__(self, device):
        self.device = device

    def __ror__(self, launcher):
        def launch(x, y):
            with torch.cuda.device(self.device):
                launcher(x, y, x.numel(), BLOCK=1024)

        return launch


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        ((Blocks(x.numel()) >> scale_kernel) | OnDevice(x.device))(x, y)
        return y
