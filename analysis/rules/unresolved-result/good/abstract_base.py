# verdict: clean
# near: 94
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


import abc


class Base(nn.Module, metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def launch(self, x, y):
        ...

    def forward(self, x):
        y = torch.empty_like(x)
        self.launch(x, y)
        return y


class ModelNew(Base):
    def launch(self, x, y):
        act_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
