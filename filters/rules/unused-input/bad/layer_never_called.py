# expect: KA008 review
# expect: KA008 review
# expect: KA004 review
# A layer is made and never called.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(128, 128)
        self.unused = nn.Linear(128, 128)

    def forward(self, x):
        return torch.sin(self.used(x))


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
