# verdict: cheat
# shows: 1
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b, c):
        return torch.addmm(c, a, b)  # expect: KA101
