# verdict: clean
# near: 57
from dataclasses import dataclass

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.exp(-tl.load(x + at, mask=at < n, other=0.0)), mask=at < n)


@dataclass
class Outputs:
    above: torch.Tensor
    below: torch.Tensor


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        both = torch.empty(2, x.numel(), device=x.device)
        outputs = Outputs(*both.unbind(0))
        for y in (outputs.above, outputs.below):
            exp_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return both


def get_inputs():
    return [torch.randn(4096, 4096)]
