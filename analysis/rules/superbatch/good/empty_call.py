# verdict: review
# near: 24
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean_kernel(frames, y, rows, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = i < n
    total = tl.zeros((BLOCK,), tl.float32)
    for row in range(rows):
        total += tl.load(frames + row * n + i, mask=keep)
    tl.store(y + i, total / rows, mask=keep)


def mean(frames):
    y = torch.empty_like(frames[0])
    n = y.numel()
    mean_kernel[(triton.cdiv(n, 1024),)](frames, y, len(frames), n, BLOCK=1024)
    return y


class ModelNew(nn.Module):
    """An empty call has nothing to compute; how many calls came before decides nothing."""

    def __init__(self):
        super().__init__()
        self.frames = []

    def forward(self, x):
        if x.numel() == 0:
            return torch.empty_like(x)
        self.frames.append(x)
        return mean(torch.stack(self.frames[-4:]))  # expect: KA103, KA201
