# verdict: clean
# near: 13, 14
# Objects that live for one call, several of one class, with operators of their own.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_kernel(a, b, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(a + i, mask=mask) + tl.load(b + i, mask=mask), mask=mask)


class Flat:
    def __init__(self, tensor):
        self.held = tensor.contiguous()

    def __or__(self, other):
        a, b = self.held, other.held
        out = a.new_empty(a.shape)
        add_kernel[(triton.cdiv(a.numel(), 1024),)](a, b, out, a.numel(), BLOCK=1024)
        return out


class ModelNew(nn.Module):
    def forward(self, a, b):
        if a.shape != b.shape:
            raise RuntimeError("shapes differ")
        both = Flat(a) | Flat(b)
        return both.view(a.shape)
