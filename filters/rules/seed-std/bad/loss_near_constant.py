# expect: KA002 review
# expect: KA004 review
# expect: KA005 review
# A mean over half a million squares hardly moves: for review, the tolerance still sees it.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.mean((a - b) ** 2)


def get_inputs():
    return [torch.randn(128, 4096), torch.randn(128, 4096)]


def get_init_inputs():
    return []
