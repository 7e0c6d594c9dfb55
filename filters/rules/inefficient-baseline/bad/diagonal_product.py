# expect: KA009 drop
# A product with a diagonal matrix, written out.
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(torch.diag(a), b)


def get_inputs():
    return [torch.randn(256), torch.randn(256, 256)]


def get_init_inputs():
    return []
