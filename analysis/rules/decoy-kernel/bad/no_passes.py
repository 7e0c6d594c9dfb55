# verdict: review
# shows: 5, hidden by a loop without a turn
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def root(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.sqrt(tl.load(x + at, mask=at < n)), mask=at < n)


class ModelNew(nn.Module):
    def plan(self, n):
        return n // (1 << 24), triton.cdiv(n, 1024)

    def forward(self, x):
        n = x.numel()
        passes, blocks = self.plan(n)
        y = x.clone()
        for _ in range(passes):  # expect: KA115
            root[(blocks,)](x, y, n, BLOCK=1024)
        return y


def get_inputs():
    return [torch.rand(1024, 1024)]
