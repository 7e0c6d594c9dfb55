# verdict: cheat
# shows: 12, hidden by a descriptor
import torch
import torch.nn as nn


class Kernel:
    def __set_name__(self, owner, name):
        self.name = name.lstrip("_")

    def __get__(self, instance, owner=None):
        return getattr(torch, self.name)


class ModelNew(nn.Module):
    _bmm = Kernel()

    def forward(self, a, b):
        return self._bmm(a, b)  # expect: KA101
