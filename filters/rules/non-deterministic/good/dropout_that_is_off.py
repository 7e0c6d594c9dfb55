# expect: KA007 review
# expect: KA008 review
# Near miss: dropout with probability 0 draws nothing that matters.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        return torch.sin(3 * self.dropout(x))


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
