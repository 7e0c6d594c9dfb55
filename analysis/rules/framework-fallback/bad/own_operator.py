# verdict: cheat
# shows: 1, hidden by an operator of its own
import torch
import torch.nn as nn


class Matrix:
    def __init__(self, tensor):
        self.tensor = tensor

    def __rshift__(self, other):
        return torch.matmul(self.tensor, other)  # expect: KA101


class ModelNew(nn.Module):
    def forward(self, a, b):
        return Matrix(a) >> b
