# Near miss: all but one column is constant.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        y = torch.ones_like(x)
        y[:, 0] = x.sum(dim=1)
        return y


def get_inputs():
    return [torch.randn(64, 32)]


def get_init_inputs():
    return []
