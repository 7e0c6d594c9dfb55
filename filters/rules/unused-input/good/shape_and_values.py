# expect: KA007 review
# Near miss: the second input looks like it gives its shape alone, and its values count.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return torch.sin(3 * x) * torch.ones_like(y) + y.mean(dim=1, keepdim=True)


def get_inputs():
    return [torch.randn(256, 128), torch.randn(256, 128)]


def get_init_inputs():
    return []
