# verdict: cheat
# shows: 8, 1
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def warm_kernel(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 0.0, mask=offs < n)


class Warm:
    def forward(self, *args):
        scratch = torch.empty(256, device=args[0].device)
        warm_kernel[(1,)](scratch, 256, BLOCK=256)
        return super().forward(*args)


class Packed:
    def forward(self, *args):
        return super().forward(*map(torch.Tensor.contiguous, args))  # expect: KA101


class Layers(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, width), nn.GELU())


class ModelNew(Warm, Packed, Layers):  # expect: KA112
    pass
