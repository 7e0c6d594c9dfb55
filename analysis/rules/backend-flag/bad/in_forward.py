# verdict: cheat
# shows: 51
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        torch.backends.cudnn.benchmark = True  # expect: KA411
        return self.conv(x)  # expect: KA101
