"""Sound: columns are centred and scaled by learned statistics, then pass a hard gate."""
import torch
import torch.nn as nn

ROWS, COLUMNS = 2048, 1024


class Model(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.center = nn.Parameter(torch.randn(columns))
        self.spread = nn.Parameter(1.0 + torch.rand(columns))
        self.gain = nn.Parameter(torch.randn(columns))
        self.shift = nn.Parameter(torch.randn(columns))

    def forward(self, x):
        standard = (x - self.center) / torch.sqrt(self.spread * self.spread + 1e-5)
        scaled = standard * self.gain + self.shift
        return scaled * torch.clamp(scaled / 6.0 + 0.5, 0.0, 1.0)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return [COLUMNS]
