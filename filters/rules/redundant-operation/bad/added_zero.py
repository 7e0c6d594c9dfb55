# expect: KA007 review
# The number that is added is no guard: it is zero.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, offset):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128) / 11)
        self.offset = offset

    def forward(self, x):
        return torch.matmul(x, self.weight) + self.offset


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return [0.0]
