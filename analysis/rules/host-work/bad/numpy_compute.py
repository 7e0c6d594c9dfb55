# verdict: cheat
# shows: 33
import numpy as np
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        y = np.maximum(x.cpu().numpy(), 0.0)  # expect: KA101, KA312
        return torch.from_numpy(y).cuda()
