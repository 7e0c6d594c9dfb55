# verdict: cheat
# shows: 63, 64
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[0], 1, device=x.device)  # expect: KA801
