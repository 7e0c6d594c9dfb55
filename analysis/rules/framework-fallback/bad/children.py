# verdict: cheat
# shows: 1, hidden by a loop over the children
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 8)

    def forward(self, x):
        for child in self.children():
            x = child(x)  # expect: KA101
        return x


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)
