# verdict: clean
# near: 12, a kernel by its name in a table
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


KERNELS = {}


def register(name):
    def put(kernel):
        KERNELS[name] = kernel
        return kernel

    return put


@register("many")
@triton.jit
def many_kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    tl.store(y + i, tl.load(x + i, mask=keep) * 2.0, mask=keep)


class Plan:
    __slots__ = ("kernel", "block")

    def __init__(self, n):
        KERNELS.setdefault("few", scale_kernel)
        self.kernel = KERNELS["many" if n > 4096 else "few"]
        self.block = 1024


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.plans = {}

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        plan = self.plans.get(n) or self.plans.setdefault(n, Plan(n))
        plan.kernel[(triton.cdiv(n, plan.block),)](x, y, n, BLOCK=plan.block)
        return y
