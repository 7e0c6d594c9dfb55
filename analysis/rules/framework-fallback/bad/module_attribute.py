# verdict: cheat
# shows: 12, hidden by a __getattr__ of the module
import sys

import torch
import torch.nn as nn


def __getattr__(name):
    return getattr(torch, name[5:])


class ModelNew(nn.Module):
    def forward(self, a, b):
        return sys.modules[__name__].fast_matmul(a, b)  # expect: KA101
