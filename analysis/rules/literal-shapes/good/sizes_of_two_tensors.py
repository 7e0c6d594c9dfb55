# verdict: clean
# near: 75
# What is subtracted is the size of another tensor.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def windows(x, w, y, length, taps, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for k in range(0, taps):
        total += tl.load(w + k) * tl.load(x + row * length + at + k, mask=at < out, other=0.0)
    tl.store(y + row * out + at, total, mask=at < out)


class ModelNew(nn.Module):
    def __init__(self, taps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(taps))

    def forward(self, x):
        x = x.contiguous()
        out = x.size(-1) - self.weight.size(-1) + 1
        y = torch.empty((x.shape[0], out), device=x.device, dtype=x.dtype)
        grid = (x.shape[0], triton.cdiv(out, 256))
        windows[grid](x, self.weight, y, x.shape[1], self.weight.shape[0], out, BLOCK=256)
        return y
