# verdict: cheat
# shows: 1, hidden by names of modules
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):  # expect: KA115
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2.0 * tl.load(x + at, mask=at < n), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, count=3):
        super().__init__()
        self.layers = nn.ModuleList()
        self.count = count
        for i in range(count):
            self.layers.add_module(f"layer_{i}", nn.Linear(8, 8))

    def forward(self, x):
        for i in range(self.count):
            layer = getattr(self.layers, f"layer_{i}")
            x = layer(x)
        return self.layers.layer_0(x)  # expect: KA101
