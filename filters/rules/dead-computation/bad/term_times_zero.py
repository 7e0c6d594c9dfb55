# expect: KA004 review
# expect: KA006 drop
# expect: KA007 review
# expect: KA007 review
# What the expensive product gives is multiplied by zero.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128))

    def forward(self, x):
        return torch.sin(3 * x) + 0.0 * torch.matmul(x, self.weight)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
