# Near miss: a thousandth, well above an absolute tolerance of 1e-4.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.tanh(x) * 1e-2


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return []
