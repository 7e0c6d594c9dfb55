# verdict: cheat
# shows: 9
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        y = self.fc(x)
        return torch.relu(y) + x


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, tensor):  # expect: KA112
        hidden = self.fc(tensor)
        return torch.relu(hidden) + tensor  # expect: KA101
