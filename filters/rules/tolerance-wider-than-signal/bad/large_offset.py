# expect: KA002 drop
# expect: KA003 drop
# expect: KA004 drop
# expect: KA005 drop
# expect: KA006 review
# expect: KA011 review
# expect: KA014 review
# The relative tolerance of a large offset covers the signal.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return 20000.0 + torch.sin(3 * x)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
