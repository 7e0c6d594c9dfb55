# verdict: cheat
# shows: 63, 64, hidden by getattr
import torch
import torch.nn as nn


make = getattr(torch, "ze" + "ros_like")


class ModelNew(nn.Module):
    def forward(self, x):
        return make(x)  # expect: KA801
