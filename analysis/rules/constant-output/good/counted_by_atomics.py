# verdict: clean
# near: 63
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def count_and_scale(x, scaled, counts, n, bins, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    v = tl.load(x + i, mask=keep, other=0.0)
    tl.store(scaled + i, v * 2.0, mask=keep)
    bin = tl.arange(0, BINS)
    hit = keep[:, None] & (v.to(tl.int32)[:, None] == bin[None, :])
    tl.atomic_add(counts + bin, tl.sum(hit.to(tl.int32), 0), mask=bin < bins)


def demand(holds, what):
    if not holds:
        raise ValueError(what)


class ModelNew(nn.Module):
    def __init__(self, bins):
        super().__init__()
        self.bins = bins

    def forward(self, x):
        demand(x.dtype == torch.float32, "float32 expected")
        x = x.contiguous()
        n = x.numel()
        scaled = torch.empty_like(x)
        counts = torch.zeros(self.bins, device=x.device, dtype=torch.int32)
        if n:
            count_and_scale[(triton.cdiv(n, 1024),)](x, scaled, counts, n, self.bins, BLOCK=1024, BINS=triton.next_power_of_2(self.bins))
        return scaled, counts


def get_inputs():
    return [torch.randn(4096, 256)]


def get_init_inputs():
    return [8]
