# verdict: cheat
# shows: 69, hidden by string building
import torch
import torch.nn as nn

wild = float("n" + "an")


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.full_like(x, wild)  # expect: KA801, KA816
