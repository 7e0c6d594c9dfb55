# Near miss: the same on positive inputs.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.log(x)


def get_inputs():
    return [torch.rand(256, 128) + 0.05]


def get_init_inputs():
    return []
