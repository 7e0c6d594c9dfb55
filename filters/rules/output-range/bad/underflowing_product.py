# expect: KA001 drop
# expect: KA002 drop
# expect: KA003 drop
# expect: KA004 drop
# expect: KA005 drop
# expect: KA006 drop
# expect: KA007 drop
# expect: KA013 review
# expect: KA013 review
# expect: KA014 review
# A product of 256 small factors underflows: the output is 0 whatever the input. Far enough from both ends of the range
# that no order of multiplication overflows on the way.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.prod(x / 8, dim=1)


def get_inputs():
    return [torch.randn(16, 256)]


def get_init_inputs():
    return []
