# verdict: clean
# near: 25
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def split_kernel(x, low, high, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(low + i, tl.minimum(v, 0.0), mask=i < n)
    tl.store(high + i, tl.maximum(v, 0.0), mask=i < n)


class Ring:
    def __init__(self, depth=2):
        self.depth, self.slots, self.at = depth, {}, 0

    def take(self, like):
        ring = self.slots.setdefault((like.shape, like.device), [])
        if len(ring) < self.depth:
            ring.append((torch.empty_like(like), torch.empty_like(like)))
        self.at = (self.at + 1) % self.depth
        return ring[self.at % len(ring)]


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.ring = Ring()

    def forward(self, x):
        x = x.contiguous()
        low, high = self.ring.take(x)
        n = x.numel()
        split_kernel[(triton.cdiv(n, 1024),)](x, low, high, n, BLOCK=1024)
        return low.clone(), high.clone()


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return []
