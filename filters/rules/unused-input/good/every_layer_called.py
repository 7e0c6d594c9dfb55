# Sound: both layers are called.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(128, 128)
        self.second = nn.Linear(128, 128)

    def forward(self, x):
        return self.second(torch.sin(self.first(x)))


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
