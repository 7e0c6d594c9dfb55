# verdict: cheat
# shows: 26
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = torch.cuda.Stream()

    def forward(self, x):
        with torch.cuda.stream(self.side):
            y = torch.relu(x)  # expect: KA101, KA301
        if x.shape[0] > 8:
            return y
        self.side.synchronize()
        return y
