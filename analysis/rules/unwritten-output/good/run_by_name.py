# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exp_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.exp(-tl.load(x + at, mask=at < n, other=0.0)), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y, z = torch.empty_like(x), torch.empty_like(x)
        grid = (triton.cdiv(x.numel(), 1024), 1, 1)
        exp_kernel.run(x, y, x.numel(), BLOCK=1024, grid=grid, warmup=False)
        compiled = exp_kernel.warmup(y, z, y.numel(), BLOCK=1024, grid=(1,))
        compiled[grid](y, z, y.numel(), 1024)
        return z


def get_inputs():
    return [torch.randn(4096, 4096)]
