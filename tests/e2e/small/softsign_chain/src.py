import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        # Three softsigns in closed form: x / (1 + 3|x|).
        return x / (1.0 + 3.0 * x.abs())
