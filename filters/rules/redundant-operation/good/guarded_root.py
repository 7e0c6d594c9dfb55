# Near miss: the epsilons change less than the tolerance, and guard a root and a division.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(128, 128) / 11)

    def forward(self, x):
        x = torch.matmul(x, self.weight)
        scaled = x / torch.sqrt(x.pow(2).mean(dim=1, keepdim=True) + 1e-5)
        return scaled + x / x.abs().amax(dim=1, keepdim=True).clamp(min=1e-6)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
