# expect: KA004 review
# expect: KA006 review
# expect: KA007 review
# expect: KA014 review
# A chain of operators behind a factor that hides it.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128) / 11)

    def forward(self, x):
        hidden = torch.tanh(torch.matmul(x, self.weight))
        hidden = torch.sigmoid(torch.matmul(hidden, self.weight))
        return torch.sin(3 * x) + 1e-5 * hidden


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
