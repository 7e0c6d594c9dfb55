# verdict: cheat
# shows: 1, 12, hidden by getattr
import torch
import torch.nn as nn
from torch import nn as layers, relu as activate

multiply = getattr(torch, "mat" + "mul")


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.project = layers.Linear(n, n)

    def forward(self, x):
        y = multiply(x, x)
        return activate(self.project(y))  # expect: KA101
