# expect: KA003 drop
# expect: KA009 note
# The batch axis carries one row over and over.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.sum(dim=0).repeat(x.shape[0], 1)


def get_inputs():
    return [torch.randn(32, 128)]


def get_init_inputs():
    return []
