# Near miss: mostly zeros, and no pattern that a cheaper product knows.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a, b)


def get_inputs():
    return [torch.where(torch.rand(256, 256) < 0.1, torch.randn(256, 256), torch.zeros(())), torch.randn(256, 256)]


def get_init_inputs():
    return []
