# verdict: clean
# near: 12
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0) * 2.0, mask=mask)


def scale(x, y):
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


@torch.library.custom_op("mine::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    raise NotImplementedError


@twice.register_kernel("cuda")
def implementation(x):
    return scale(x, torch.empty_like(x))


@twice.register_fake
def shapes(x):
    return torch.empty_like(x)


library = torch.library.Library("own", "DEF")
library.define("scale(Tensor x) -> Tensor")
library.impl("scale", lambda x: scale(x, torch.empty_like(x)), "CUDA")
library.impl("scale", lambda x: torch.empty_like(x), "Meta")
library.impl("scale", lambda x: torch.relu(x) * 2, dispatch_key="CPU")


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.ops.own.scale(torch.ops.mine.twice(x))
