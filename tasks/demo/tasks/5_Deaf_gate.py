"""Degenerate: the gate is a softmax over one value, which is 1 whatever the gate's input holds."""
import torch
import torch.nn as nn

ROWS, COLUMNS = 512, 1024


class Model(nn.Module):
    def forward(self, x, gate):
        opened = torch.softmax(torch.mean(gate, dim=1, keepdim=True), dim=1)
        return x / (1.0 + torch.abs(x)) * opened


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
