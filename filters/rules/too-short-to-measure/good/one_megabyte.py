# Near miss: one cheap operator, and enough elements to take a while.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sin(x)


def get_inputs():
    return [3 * torch.randn(512, 512)]


def get_init_inputs():
    return []
