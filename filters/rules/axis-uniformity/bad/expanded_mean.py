# expect: KA003 drop
# expect: KA009 note
# Every row of the output is one number repeated.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.sum(dim=1, keepdim=True).expand_as(x).contiguous()


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return []
