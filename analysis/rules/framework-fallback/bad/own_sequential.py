# verdict: cheat
# shows: 1, hidden by an own class of nn.Sequential
import torch.nn as nn


class Chain(nn.Sequential):
    """A fused chain."""


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.chain = Chain(nn.Linear(8, 8), nn.ReLU())

    def forward(self, x):
        return self.chain(x)  # expect: KA101
