# verdict: cheat
# shows: 12, hidden by a kernel that is registered later
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):  # expect: KA115
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    tl.store(y_ptr + offs, tl.maximum(x, 0.0) * 2.0, mask=mask)


def scale(x, y):
    n = x.numel()
    scale_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    return y


@torch.library.custom_op("hidden::scale", mutates_args=())
def hidden_scale(x: torch.Tensor) -> torch.Tensor:
    raise NotImplementedError


@hidden_scale.register_kernel("cuda")
def implementation(x):
    return torch.relu(x)  # expect: KA101


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.ops.hidden.scale(x)
