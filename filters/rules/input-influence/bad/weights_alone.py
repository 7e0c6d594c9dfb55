# expect: KA004 drop
# expect: KA005 drop
# expect: KA006 drop
# expect: KA007 review
# expect: KA007 review
# expect: KA009 note
# The output depends on the weights and on nothing that comes in.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features, 1))

    def forward(self, x):
        return self.weight * torch.softmax(x.sum(dim=1, keepdim=True), dim=1).mean()


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return [128]
