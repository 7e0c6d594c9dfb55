# verdict: cheat
# shows: 16
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def blur_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(x + at - 1, mask=(at > 0) & (at < n), other=0.0)
    tl.store(y + at, 0.5 * (before + tl.load(x + at, mask=at < n)), mask=at < n)


def run(x, out=None):
    out = torch.empty_like(x) if out is None else out
    blur_kernel[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}

    def forward(self, x):
        space = self.kept.get(x.shape)
        if space is None:
            space = self.kept[x.shape] = torch.empty_like(x)
            run(x, out=space)
        return run(space)  # expect: KA201


def get_inputs():
    return [torch.randn(1024, 1024)]


def get_init_inputs():
    return []
