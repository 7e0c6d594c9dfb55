# verdict: clean
# near: 21
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


def after(module, args, output):
    module.calls += 1
    module.last_shape = tuple(output.shape)
    if module.scratch is None:
        module.scratch = torch.empty_like(output)
    scale(output, module.scratch)
    return scale(module.scratch, torch.empty_like(output))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.scratch = None
        self.register_forward_hook(after)

    def forward(self, x):
        return scale(x, torch.empty_like(x))
