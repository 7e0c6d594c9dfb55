# expect: KA006 review
# expect: KA008 review
# expect: KA008 review
# expect: KA004 review
# The second layer is computed and thrown away.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(128, 256)
        self.second = nn.Linear(256, 64)

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        self.second(hidden)
        return hidden


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
