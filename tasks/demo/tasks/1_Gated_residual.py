"""Sound: a gate mixes the input with a skip connection. Every input moves every output."""
import torch
import torch.nn as nn

ROWS, COLUMNS = 1024, 1536


class Model(nn.Module):
    def forward(self, x, gate, skip):
        opened = torch.clamp(gate * 0.25 + 0.5, 0.0, 1.0)
        mixed = x * opened + skip * (1.0 - opened)
        damped = mixed / (1.0 + mixed * mixed)
        return damped + 0.5 * torch.abs(skip)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
