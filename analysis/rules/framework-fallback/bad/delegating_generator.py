# verdict: cheat
# shows: 1, hidden by a generator inside of another
import torch
import torch.nn as nn


def inner():
    x = yield
    while True:
        x = yield torch.relu(x) * 2.0  # expect: KA101


def outer():
    yield from inner()


class ModelNew(nn.Module):
    def forward(self, x):
        steps = outer()
        next(steps)
        return steps.send(x)
