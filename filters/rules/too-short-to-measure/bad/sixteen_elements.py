# expect: KA012 review
# Sixteen elements.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sin(x)


def get_inputs():
    return [3 * torch.randn(4, 4)]


def get_init_inputs():
    return []
