# verdict: cheat
# shows: 1, 12
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b):
        return a.matmul(b)  # expect: KA101
