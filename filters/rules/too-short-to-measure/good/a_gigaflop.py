# Sound: a product of a thousand rows.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a, b)


def get_inputs():
    return [torch.randn(1024, 512), torch.randn(512, 1024)]


def get_init_inputs():
    return []
