# verdict: cheat
# shows: 1, hidden by type()
import torch
import torch.nn as nn


def product(self, a, b):
    return torch.mm(a, b)  # expect: KA101


ModelNew = type("ModelNew", (nn.Module,), {"forward": product})
