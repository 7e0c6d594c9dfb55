# expect: KA007 review
# expect: KA013 review
# abs on U[0, 1) changes nothing.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128))

    def forward(self, x):
        return torch.matmul(torch.abs(x), self.weight)


def get_inputs():
    return [torch.rand(256, 128)]


def get_init_inputs():
    return []
