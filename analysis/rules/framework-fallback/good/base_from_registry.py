# verdict: clean
# near: 8
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def square_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, x * x, mask=mask)


class Pointwise(nn.Module):
    kinds = {}

    def __init_subclass__(cls, kind=None, **kwargs):
        super().__init_subclass__(**kwargs)
        if kind is not None:
            Pointwise.kinds[kind] = cls

    def forward(self, x):
        x = self.prepared(x)
        y = torch.empty_like(x)
        square_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y


class Contiguous(Pointwise, kind="contiguous"):
    def prepared(self, x):
        return x.contiguous()


class ModelNew(Pointwise.kinds["contiguous"]):
    def forward(self, x):
        return super().forward(x)
