# verdict: clean
# near: 12, an attribute that __getattr__ makes
import torch
import torch.nn as nn
import triton
import triton.language as tl
import functools


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


def run(x, y, n, block):
    scale_kernel[(triton.cdiv(n, block),)](x, y, n, BLOCK=block)


class ModelNew(nn.Module):
    def __getattr__(self, name):
        if name == "launch":
            return functools.partial(run, block=1024)
        return super().__getattr__(name)

    def forward(self, x):
        y = torch.empty_like(x)
        self.launch(x, y, x.numel())
        return y
