# verdict: cheat
# shows: 1, hidden by an exception that is thrown into a generator
import torch
import torch.nn as nn


class Now(Exception):
    pass


def work(x):
    try:
        yield None
    except Now:
        yield torch.relu(x) * 2.0  # expect: KA101


class ModelNew(nn.Module):
    def forward(self, x):
        steps = work(x)
        next(steps)
        return steps.throw(Now())
