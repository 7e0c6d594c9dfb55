# expect: KA005 drop
# expect: KA007 drop
# expect: KA013 review
# ReLU of values drawn from [0, 1) returns them as they are.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    return [torch.rand(64, 128)]


def get_init_inputs():
    return []
