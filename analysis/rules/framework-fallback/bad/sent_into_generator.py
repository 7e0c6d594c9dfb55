# verdict: cheat
# shows: 1, hidden by a generator that the input is sent into
import torch
import torch.nn as nn


def doubled():
    x = yield
    while True:
        x = yield torch.relu(x) * 2.0  # expect: KA101


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = doubled()
        next(self.steps)

    def forward(self, x):
        return self.steps.send(x)
