# expect: KA004 review
# expect: KA007 review
# A bias before a subtraction of the mean cancels.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.offset = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        y = x * self.weight + self.offset
        return y - y.mean(dim=1, keepdim=True)


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return [128]
