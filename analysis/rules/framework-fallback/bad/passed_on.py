# verdict: cheat
# shows: 12, hidden by __getattr__
import torch
import torch.nn as nn


class Kernels:
    def __init__(self, backend):
        self.backend = backend

    def __getattr__(self, name):
        return getattr(self.backend, name)


kernels = Kernels(torch)


class ModelNew(nn.Module):
    def forward(self, a, b):
        return kernels.matmul(a, b)  # expect: KA101
