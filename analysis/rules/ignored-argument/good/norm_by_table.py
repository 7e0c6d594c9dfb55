# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm_rows(x, y, w, b, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + row * n + at, mask=at < n, other=0.0)
    mean = tl.sum(value, 0) / n
    centred = tl.where(at < n, value - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, 0) / n + eps)
    tl.store(y + row * n + at, centred * scale * tl.load(w + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.norm = nn.LayerNorm(n)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, n = x.shape
        w, b = self.norm._parameters["weight"], self.norm._parameters["bias"]
        norm_rows[(rows,)](x, y, w, b, n, self.norm.eps, BLOCK=triton.next_power_of_2(n))
        return y
