# verdict: cheat
# shows: 1, hidden by an own class of nn.Linear
import torch.nn as nn


class FusedLinear(nn.Linear):
    pass


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.fused = FusedLinear(8, 8)

    def forward(self, x):
        return self.fused(x)  # expect: KA101
