# verdict: clean
# near: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm_groups(x, w, b, y, n, channels, size, eps, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + group * n + at, mask=at < n, other=0.0)
    mean = tl.sum(value, 0) / n
    centred = tl.where(at < n, value - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, 0) / n + eps)
    channel = (group * n + at) // size % channels
    w = tl.load(w + channel, mask=at < n)
    b = tl.load(b + channel, mask=at < n)
    tl.store(y + group * n + at, centred * scale * w + b, mask=at < n)



class ModelNew(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        self.groups = groups
        plain = nn.GroupNorm(groups, channels)
        self.weight, self.bias = plain.weight, plain.bias
        self.spare = nn.GroupNorm(groups, channels, affine=False)
        self.eps = plain.eps
        self.head = nn.Linear(channels, channels)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        count = x.shape[0] * self.groups
        n = x.numel() // count
        size = x.shape[2] * x.shape[3]
        norm_groups[(count,)](
            x, self.weight, self.bias, y, n, x.shape[1], size, self.eps, BLOCK=triton.next_power_of_2(n)
        )
        return y
