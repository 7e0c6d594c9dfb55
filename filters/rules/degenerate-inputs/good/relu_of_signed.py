# Sound: half of the inputs are negative, and ReLU has something to do.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128) / 11)

    def forward(self, x):
        return torch.matmul(torch.relu(x), self.weight)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
