# verdict: review
# shows: 4
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(64, 4)
        self.out = nn.Linear(64, 10)

    def forward(self, x):
        hidden = self.layer.linear1(self.layer.norm1(x))
        y = torch.empty_like(hidden)
        relu[(triton.cdiv(hidden.numel(), 256),)](hidden, y, hidden.numel(), BLOCK=256)
        x = x + self.layer.linear2(y)
        return self.out(self.layer.norm2(x))  # expect: KA103
