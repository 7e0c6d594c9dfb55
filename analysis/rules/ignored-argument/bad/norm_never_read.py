# verdict: review
# shows: 66
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm_groups(x, y, n, eps, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    value = tl.load(x + group * n + at, mask=at < n, other=0.0)
    mean = tl.sum(value, 0) / n
    centred = tl.where(at < n, value - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, 0) / n + eps)
    tl.store(y + group * n + at, centred * scale, mask=at < n)



class ModelNew(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        self.groups = groups
        self.norm = nn.GroupNorm(num_groups=groups, num_channels=channels)  # expect: KA811
        self.eps = 1e-5

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        count = x.shape[0] * self.groups
        n = x.numel() // count
        norm_groups[(count,)](x, y, n, self.eps, BLOCK=triton.next_power_of_2(n))
        return y
