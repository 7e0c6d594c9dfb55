"""Degenerate: both halves of the average are the identity on the inputs that are drawn, none of which is negative."""
import torch
import torch.nn as nn

ROWS, COLUMNS = 512, 1024


class Model(nn.Module):
    def forward(self, x):
        return 0.5 * (torch.relu(x) + torch.abs(x))


def get_inputs():
    return [torch.rand(ROWS, COLUMNS)]


def get_init_inputs():
    return []
