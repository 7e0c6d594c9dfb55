"""Degenerate: the density is read so far out in its tail that every output is zero to the benchmark."""
import torch
import torch.nn as nn

ROWS, COLUMNS = 512, 1024


class Model(nn.Module):
    def forward(self, x):
        distance = torch.abs(x) + 3.0
        return torch.exp(-4.0 * distance * distance)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
