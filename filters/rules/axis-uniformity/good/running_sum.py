# Sound: every element has its own share of the input.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.cumsum(torch.sin(3 * x), dim=1)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
