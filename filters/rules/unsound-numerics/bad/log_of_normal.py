# expect: KA001 review
# expect: KA003 inconclusive
# expect: KA004 inconclusive
# expect: KA015 review
# expect: KA015 review
# The logarithm of a negative number is NaN.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.log(x)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
