# verdict: cheat
# shows: 11, hidden by getattr
import torch
import torch.nn as nn


fuse = getattr(torch, "com" + "pile")


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.net = fuse(nn.Linear(n, n))  # expect: KA111

    def forward(self, x):
        return self.net(x)  # expect: KA101
