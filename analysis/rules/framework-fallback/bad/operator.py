# verdict: cheat
# shows: 1, 12
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, a, b):
        tag = "#"  # a hash in a string hides nothing
        return a @ b  # expect: KA101
