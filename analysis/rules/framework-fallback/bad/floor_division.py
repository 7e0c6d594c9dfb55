# verdict: cheat
# shows: 1
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b):
        n = 1//1; return torch.matmul(a, b)  # expect: KA101
