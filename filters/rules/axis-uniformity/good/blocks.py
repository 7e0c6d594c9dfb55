# expect: KA009 note
# Near miss: values repeat in pairs, which no single axis shows.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.repeat_interleave(x, 2, dim=1)


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return []
