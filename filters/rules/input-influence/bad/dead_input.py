# expect: KA004 drop
# expect: KA007 review
# expect: KA007 review
# The second input is multiplied by zero.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, bias):
        return torch.exp(x) + 0 * bias


def get_inputs():
    return [torch.randn(64, 128), torch.randn(128)]


def get_init_inputs():
    return []
