# verdict: cheat
# shows: 1
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel = torch._C._cuda_compile("scale", "extern ...")
        kernel((1024, 1, 1), (256, 1, 1), x, y)  # expect: KA101
        return y


def get_inputs():
    return [torch.randn(4096, 4096)]


def get_init_inputs():
    return []
