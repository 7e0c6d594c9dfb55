# verdict: clean
# near: 57
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2.0 * tl.load(x + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        z = torch.zeros_like(x)
        grid = (triton.cdiv(x.numel(), 256),)
        double[grid](x.contiguous().view(-1), z.contiguous().view(-1), x.numel(), BLOCK=256)
        double[grid](z, y.contiguous().view(-1), x.numel(), BLOCK=256)
        return y
