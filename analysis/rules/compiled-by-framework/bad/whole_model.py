# verdict: cheat
# shows: 11
import torch
import torch.nn as nn


@torch.compile(mode="max-autotune")  # expect: KA111
def work(a, b):
    return torch.addmm(b, a, a)  # expect: KA101


class ModelNew(nn.Module):
    def forward(self, a, b):
        return work(a, b)
