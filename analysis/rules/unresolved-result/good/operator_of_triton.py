# verdict: clean
# near: 94
import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton


@triton.jit
def relu_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < n, other=0.0), 0.0), mask=at < n)


@triton_op("activations::relu", mutates_args={})
def relu(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    wrap_triton(relu_kernel)[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), 1024)
    return y


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.ops.activations.relu(x.contiguous())


def get_inputs():
    return [torch.randn(4096, 4096)]
