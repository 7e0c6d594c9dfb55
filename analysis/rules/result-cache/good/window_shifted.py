# verdict: clean
# near: 13, 16
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
    def __init__(self):
        super().__init__()
        self.window = None

    def forward(self, x):
        if self.window is None:
            self.window = x.unsqueeze(0).repeat(4, 1)
        else:
            self.window = torch.cat([self.window[1:], x.unsqueeze(0)])  # expect: KA103
        return mean(self.window)
