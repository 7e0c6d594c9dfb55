# verdict: cheat
# shows: 8
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.addmm(b, a, a)  # expect: KA101


class ModelNew(Model):  # expect: KA112
    pass
