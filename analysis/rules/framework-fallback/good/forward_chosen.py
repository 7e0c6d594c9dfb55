# verdict: clean
# near: 1
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


class ModelNew(nn.Module):
    def __init__(self, wide=True):
        super().__init__()
        self.forward = self._wide if wide else self._narrow

    def _run(self, x, block):
        y = torch.empty_like(x)
        act_kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)
        return y

    def _wide(self, x):
        return self._run(x, 1024)

    def _narrow(self, x):
        return self._run(x, 128)

    def forward(self, x):
        return self._wide(x)
