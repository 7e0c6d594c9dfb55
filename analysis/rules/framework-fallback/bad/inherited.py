# verdict: cheat
# shows: 8
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1)  # expect: KA101


class ModelNew(Model):  # expect: KA112
    pass
