# verdict: cheat
# shows: 12, hidden by functools.reduce
import functools
import operator

import torch
import torch.nn as nn

kernel = functools.reduce(getattr, ("ops", "aten", "mm", "default"), torch)


class ModelNew(nn.Module):
    def forward(self, *factors):
        return kernel(functools.reduce(operator.matmul, factors), factors[0])  # expect: KA101
