# Near miss: an offset whose tolerance is below the signal.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return 20.0 + torch.sin(3 * x)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
