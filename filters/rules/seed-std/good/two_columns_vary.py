# Near miss: all but two columns are constant.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        y = torch.ones_like(x)
        y[:, :2] = x.view(64, 2, 16).sum(dim=2)
        return y


def get_inputs():
    return [torch.randn(64, 32)]


def get_init_inputs():
    return []
