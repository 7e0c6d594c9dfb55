"""Sound: each row is divided by the root of its mean energy, then bent by a rational curve."""
import torch
import torch.nn as nn

ROWS, COLUMNS = 2048, 1024


class Model(nn.Module):
    def forward(self, x):
        energy = torch.mean(x * x, dim=1, keepdim=True)
        unit = x / torch.sqrt(energy)
        return unit / (1.0 + torch.abs(unit)) + 0.25 * unit


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
