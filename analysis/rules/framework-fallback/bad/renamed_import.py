# verdict: cheat
# shows: 1, 12, hidden by alias
import torch.nn as nn
from torch import matmul as m


class ModelNew(nn.Module):
    def forward(self, a, b):
        return m(a, b)  # expect: KA101
